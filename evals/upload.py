"""A run's rows as LangSmith experiments, only where the user asks for it. Questions, answers and contexts are sent.

One request a pipeline, to LangSmith's endpoint for experiments that ran elsewhere; nothing is traced.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

import orjson

from agent.endpoint_address import check_base_url
from agent.errors import UsageError
from evals.datasets.types import Item
from evals.results import Results
from evals.rows import Row

KEY = "LANGSMITH_API_KEY"
ENDPOINT = "LANGSMITH_ENDPOINT"
HOSTED = "https://api.smith.langchain.com"
PATH = "/datasets/upload-experiment"
UPLOAD_MILLISECONDS = 300_000
"""Milliseconds that a request may take: some megabytes."""


class UploadError(OSError):
    """LangSmith did not take the run; the results on this machine are complete."""


def langsmith_url(environment: Mapping[str, str] = os.environ) -> str:
    """Where the upload would go. UsageError without a key, or for an address that would send it in the clear: to be
    found before the run rather than after it."""
    if not environment.get(KEY):
        raise UsageError(f"--upload-langsmith needs a key. Set {KEY}, or leave the flag out.")
    try:
        return check_base_url(environment.get(ENDPOINT) or HOSTED)
    except ValueError as error:
        raise UsageError(f"{ENDPOINT} {error}") from error


def upload(results: Results, folder: Path, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Send every pipeline as an experiment; their names. UsageError as `langsmith_url`, UploadError."""
    import requests
    from langsmith import Client
    from langsmith.utils import LangSmithError

    url = langsmith_url(environment)
    session = requests.Session()
    session.max_redirects = 0  # a redirect would carry the rows elsewhere
    client = Client(
        url,
        api_key=environment[KEY],
        session=session,
        auto_batch_tracing=False,
        timeout_ms=UPLOAD_MILLISECONDS,
        disable_prompt_cache=True,
    )
    path = PATH if "/api" in urlsplit(url).path else f"/api/v1{PATH}"
    names = []
    for pipeline in results.pipelines:
        body = experiment(results, pipeline)
        try:
            client.request_with_retries("POST", path, request_kwargs={"data": orjson.dumps(body)})
        except (LangSmithError, requests.RequestException) as error:
            told = " ".join(str(error).replace(environment[KEY], "[key]").split())[:300]
            raise UploadError(
                f"LangSmith at '{urlsplit(url).netloc}' did not take '{pipeline}': {told}. The results in '{folder}' "
                "are complete; to try again, give the same command again."
            ) from error
        names.append(str(body["experiment_name"]))
    return names


def experiment(results: Results, pipeline: str) -> dict[str, Any]:
    """The body of one request (LangSmith's 'upload experiment'); ids depend on data set and question alone."""
    start = datetime.fromisoformat(results.created)
    rows = results.rows_of(pipeline)
    longest = max([results.seconds, *(row.seconds.get("total", 0.0) for row in rows)])
    items = {item.id: item for item in results.items}
    name = f"hybridrag {results.dataset.name} {results.dataset.data_hash[:8]}"
    return {
        "experiment_name": f"{results.dataset.name} {pipeline} {results.created}",
        "experiment_start_time": start.isoformat(),
        "experiment_end_time": (start + timedelta(seconds=longest)).isoformat(),
        "dataset_name": name,
        "experiment_metadata": {
            "pipeline": pipeline,
            "commit": results.commit,
            "versions": results.versions,
            "settings": results.config.settings,
            "data_hash": results.dataset.data_hash,
        },
        "summary_experiment_scores": [
            {"key": key, "score": found.mean, "comment": f"{found.scored} scored"}
            for key, found in results.summaries[pipeline].items()
            if found.mean is not None
        ],
        "results": [_row(row, items[row.id], name, start) for row in rows],
    }


def _row(row: Row, item: Item, dataset: str, start: datetime) -> dict[str, Any]:
    filters = {"company": item.company, "year": item.year, "quarter": item.quarter}
    return {
        "row_id": str(uuid5(NAMESPACE_URL, f"{dataset}/{item.id}")),
        "inputs": {"question": item.question, **{k: v for k, v in filters.items() if v is not None}},
        "expected_outputs": {
            "answer": item.answer,
            "numbers": [n.model_dump(mode="json") for n in item.numbers],
        },
        "actual_outputs": {
            "answer": row.answer,
            "status": row.status,
            "reason": row.reason,
            "contexts": [context.model_dump(mode="json") for context in row.contexts],
        },
        "evaluation_scores": [
            {"key": key, "score": score.value, "comment": score.reason}
            for key, score in row.scores.items()
            if score.value is not None
        ],
        "start_time": start.isoformat(),
        "end_time": (start + timedelta(seconds=row.seconds.get("total", 0.0))).isoformat(),
        "run_name": row.pipeline,
        "error": row.error or None,
        "run_metadata": {"id": row.id, "kind": item.kind, "engine": row.engine, "route": row.route},
    }
