# hybridrag: `make help` lists what can be done.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 2024
SAMPLE_REPLIES := --dataset sample --limit 12 --pipelines agent
.DEFAULT_GOAL := help
.PHONY: help install install-dev demo test test-judged lint format types studio bench refresh-replies clean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -m venv .venv

.venv/.base: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

.venv/.dev: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@ .venv/.base

.venv-judge/.judge: pyproject.toml constraints-judge.txt
	test -x .venv-judge/bin/python || $(PYTHON) -m venv .venv-judge
	.venv-judge/bin/python -m pip install --quiet --constraint constraints-judge.txt --editable '.[evals,judge]' hypothesis pytest pytest-timeout pytest-xdist
	@touch $@

install: .venv/.base ## make .venv with the runtime dependencies
	@echo "Installed. Next: $(BIN)/hybridrag --help (or: source .venv/bin/activate)"

install-dev: .venv/.dev ## make .venv with the test extras

demo: .venv/.base ## index the sample documents and ask a handful of questions
	@HYBRIDRAG_ENGINE=local HYBRIDRAG_EXTRACTOR=auto HYBRIDRAG_RERANK=local HYBRIDRAG_EMBED_MODEL= HYBRIDRAG_EMBED_BASE_URL= $(BIN)/hybridrag demo

test: lint types test-judged ## lint, format check, types and the whole suite
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-judged: .venv-judge/.judge ## the tests of the extra `judge`, in an environment of their own
	.venv-judge/bin/python -m pytest -n 2 --dist loadfile tests/flow/test_eval_judged.py tests/unit/evals/judged

lint: .venv/.dev ## ruff check and format check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/.dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: .venv/.dev ## mypy --strict on the source
	$(BIN)/mypy

studio: .venv/.dev ## LangGraph Studio's server on loopback (PORT=2024; a free port if that is taken)
	$(BIN)/python -m agent.server.start --n-jobs-per-worker 4 --host 127.0.0.1 --port $(PORT)

bench: .venv/.dev ## measure the speeds that the README quotes
	$(BIN)/python -m evals.bench

refresh-replies: .venv/.dev ## record the sample questions with the model that is set; what no prompt asks any more goes
	@test -n "$(HYBRIDRAG_LLM_MODEL)" || { echo "Set HYBRIDRAG_LLM_BASE_URL and HYBRIDRAG_LLM_MODEL."; exit 2; }
	$(BIN)/hybridrag eval run $(SAMPLE_REPLIES) --out results/replies --fresh --prune --replies evals/replies/$(notdir $(HYBRIDRAG_LLM_MODEL))

clean: ## remove environments and caches (never a home folder)
	rm -rf .venv .venv-judge .mypy_cache .ruff_cache .pytest_cache build *.egg-info
