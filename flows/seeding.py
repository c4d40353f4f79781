"""Makes a file of seeds out of a file of conversations; `semilla seed`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.config import load_config, override
from flows.detection import detector_for, read_as, require_domain
from flows.errors import UsageError
from flows.inputs import settled
from flows.labelling import labeller
from flows.records_io import write_records
from flows.releasing import plan_release, release_record, release_seeds
from flows.reviewing import reviewed

if TYPE_CHECKING:
    from seed_engine.conversation import Conversation
    from seed_engine.seed import Seed


def seed_file(
    source: Path,
    output: Path,
    config: Path | None,
    *,
    language: str | None,
    domain: str | None,
    skip_bad: bool,
    **settings: object,
) -> dict[str, Any]:
    """Read, extract and release, one conversation after the other; nothing is kept of them.

    Args:
        source: conversations.
        output: seeds.jsonl to write.
        config: semilla.toml or None.
        language: in place of the file's own.
        domain: in place of the file's own.
        skip_bad: count broken lines instead of stopping.
        settings: of `seed_engine.config.SeedConfig`, in place of the configuration's where not None.

    Returns:
        The release's record, and how many conversations were skipped by reason; of a private release, not that.

    Raises:
        BudgetError: the ledger does not allow the release; no conversation was read.
        UsageError: the ledger would be overwritten.
    """
    from seed_engine.embedding import MiniLM
    from seed_engine.extract import extract

    whole = load_config(config)
    embed, choose = MiniLM(), labeller(whole.seeds, whole.generator)
    config_of_seeds = override(whole.seeds, **settings)
    require_domain(config_of_seeds.domain)
    private = config_of_seeds.release == "dp"
    ledger = config_of_seeds.ledger
    if private and ledger is not None and ledger.expanduser().resolve() == output.resolve():
        raise UsageError("the ledger and the output are one file")
    conversations = read_as(source, language, domain, skip_bad=skip_bad, unique_ids=private)
    plan = plan_release(config_of_seeds, (source,))
    detector = reviewed(detector_for(config), source, spread=not private)
    done: Counter[str] = Counter()
    skipped: Counter[str] = Counter()

    def items() -> Iterator[tuple[Conversation, Seed]]:
        for number, talk in enumerate(conversations, 1):
            item = settled(talk, config_of_seeds.domain)
            result = extract(item, detector.detect_conversation(item), f"seed-{number:06d}", embed, choose)
            if result.seed is None:
                skipped[f"skipped_{result.skipped}"] += 1
            else:
                yield item, result.seed

    written = write_records(output, release_seeds(plan, items(), done))
    return release_record(plan, done, written) | ({} if plan.private else dict(skipped))
