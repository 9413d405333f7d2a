"""`hybridrag demo`: the sample documents, indexed and asked about."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from agent.assistant import Assistant
from agent.cli.commands import show_answer
from agent.cli.index_command import index_paths
from agent.display.screen import Screen
from evals.samples import DOCUMENTS

DEMO_QUESTIONS = (
    "What was Calderith's total revenue in the quarter ended March 30, 2024?",
    "Compare Calderith's and Harrowmere's net income in the most recent quarter.",
    "Who is the chief financial officer of Harrowmere?",
    "Why did Calderith's gross margin change?",
    "What risks does Harrowmere describe?",
    "What was Calderith's revenue in the quarter ended June 30, 2019?",
    "What is the capital of France?",
)
DEMO_HOME = ".hybridrag-demo"


def demo(args: argparse.Namespace, screen: Screen) -> int:
    """Index the project's own sample documents and ask a handful of questions."""
    started = time.monotonic()
    with Assistant.open(args.home or Path(DEMO_HOME)) as assistant:
        screen.line(f"Indexing the sample documents into '{assistant.home}' ...")
        index_paths(assistant, [DOCUMENTS], None, screen)
        for question in DEMO_QUESTIONS:
            screen.line(f"\n> {question}\n")
            show_answer(assistant.ask(question), screen)
    screen.line(
        f"\nDone in {time.monotonic() - started:.1f} s. Ask your own: "
        f'hybridrag ask --home {assistant.home} "..."; index your own: hybridrag index PATH'
    )
    return 0
