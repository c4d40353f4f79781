"""A small staged run, made by hand: what the certificate's and the report's tests work on."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from attacks.config import AttackConfig
from attacks.verdict import GateReport, Plots, conclude, result
from flows.records import GateRecord, RunRecord, SourceCommitment, StageRecord

SOURCE = SourceCommitment(salt="00" * 16, files=("ab" * 32,), conversations=60, subjects=58)

TRAINING: dict[str, Any] = {
    "epsilon": 7.997,
    "delta": 1e-5,
    "private": True,
    "noise_multiplier": 0.83,
    "sample_rate": 0.0625,
    "steps": 120,
    "max_grad_norm": 1.0,
    "unit": "subject, else seed, else conversation; every canary is a unit of its own",
    "sampler": "poisson",
    "units": 710,
    "member_canaries": 650,
    "noise_generator": "os",
    "accountants": {"prv": 7.997, "rdp": 8.61, "pld": 7.991},
    "audit": {"epsilon_lower_bound": 0.31, "ceiling": 5.4, "guesses": 650, "correct": 331},
    "tokens_per_second": 121.0,
}

SCORES: dict[str, Any] = {
    "privacy_score": 0.0,
    "memorization_rate": 0.0,
    "leaks": {"secrets": 0, "checked": 1412},
    "quality": {
        "distinct_2": {"value": 0.61, "range": [0, 1], "better": "higher"},
        "coherence": {"value": 0.44, "range": [-1, 1], "better": "higher"},
        "self_bleu": {"value": 0.27, "range": [0, 1], "better": "lower"},
        "perplexity": {"value": 18.2, "range": [1, None], "better": "lower"},
    },
    "verdict": "pass",
}

_TALKS = (
    ("support", "en", "customer", "agent", "My order [ORDER_1] has not come.", "It left on [DATE_1], [CUSTOMER_1]."),
    ("medical", "en", "patient", "doctor", "The cough is worse at night.", "How long, [PATIENT_1]? Since [DATE_1]?"),
    ("tutoring", "es", "student", "tutor", "No entiendo las fracciones.", "Vamos a verlo juntos, [STUDENT_1]."),
    ("tutoring", "en", "student", "tutor", "Is a half the same as 2/4?", "Yes <b>& no doubt</b>, [STUDENT_1]."),
)  # fmt: skip


def roc(shift: float) -> tuple[tuple[float, float], ...]:
    rates = [0.0, *(10 ** (-2.5 + 2.5 * i / 30) for i in range(31))]
    return tuple((x, min(1.0, x**shift)) for x in rates)


def attacks(successes: int = 0) -> GateReport:
    details = {"exposure_mean_bits": 1.2, "exposure_ceiling_bits": 5.0, "exposure_by_chance_bits": 1.4}
    rows = [
        result("membership", "membership", successes, 650, AttackConfig()),
        result("extraction", "extraction", 0, 650, AttackConfig(), details=details),
        result("source_canaries", "text_only", 0, 400, AttackConfig()),
    ]
    exposure = tuple(round(5 * abs(math.sin(i * 1.7)) ** 2.5, 2) for i in range(20))
    curves = {"loss": roc(1.0), "ratio": roc(0.9), "zlib": roc(1.05), "min_k": roc(0.97)}
    return conclude(rows, Plots(roc=curves, exposure=exposure, exposure_ceiling=5.0))


def gates(report: GateReport) -> tuple[GateRecord, ...]:
    rows = [
        ("input", 60, 1, "pass", "seeds made, at least one needed"),
        ("schema", 0, 0, "pass", "violations, in 0 of 60 seeds"),
        ("privacy_score", 0, 0, "pass", "highest of 60 conversations"),
        ("leak", 0, 0, "pass", "known secrets found, of 1412 looked for"),
        ("epsilon", 7.997, 8, "pass", "claimed privacy loss against the largest that is certified"),
        ("audit", 0.31, 7.997, "pass", "lower bound on epsilon from one run (95%) against the epsilon claimed"),
    ]
    found = [GateRecord(name=n, figure=f, threshold=t, verdict=v, detail=d) for n, f, t, v, d in rows]  # type: ignore[arg-type]
    for row in report.attacks:
        detail = f"{row.successes} of {row.trials} trials; bound at {row.confidence:.0%} confidence"
        found.append(
            GateRecord(
                name=f"attacks.{row.name}",
                figure=row.upper_bound,
                threshold=row.threshold,
                verdict=row.verdict,
                detail=detail,
            )
        )
    return tuple(found)


def run_record(report: GateReport | None = None, **changes: Any) -> RunRecord:
    spans = {"PERSON": 212, "DATE_TIME": 160, "PHONE_NUMBER": 61, "EMAIL_ADDRESS": 44, "LOCATION": 39, "US_SSN": 7}
    counts: tuple[tuple[str, float, dict[str, float]], ...] = (
        ("extract", 21.4, {"conversations": 60, "turns": 700, "seeds": 60, **spans}),
        ("validate", 0.1, {"seeds": 60, "violations": 0}),
        ("generate", 140.2, {"wanted": 60, "conversations": 58, "dropped_marker": 1, "dropped_rubbish": 1}),
        ("evaluate", 33.0, {"conversations": 58}),
        ("attack_text", 9.1, {"attacks": 2}),
        ("render", 0.8, {"conversations": 58}),
        ("train", 121.7, {"records": 710, "steps": 120}),
        ("attack", 62.3, {"attacks": 2}),
    )
    record: dict[str, Any] = {
        "id": "4f1c9a7e0b2d4c6f8e1a3b5d7f901234",
        "status": "certified",
        "exit_code": 0,
        "config_digest": "cd" * 32,
        "versions": {"python": "3.11.2", "semilla": "0.1.0", "torch": "2.13.0"},
        "models": {"smollm2/SmolLM2-135M-Instruct.Q4_1.gguf": "b1" * 32, "provider": "semilla/smollm2-135m-instruct"},
        "started": "2026-12-02T06:00:00+00:00",
        "finished": "2026-12-02T06:06:24+00:00",
        "stages": tuple(StageRecord(name=n, seconds=s, cpu_seconds=s, counts=c) for n, s, c in counts),
        "gates": gates(report or attacks()),
        "seconds": 384.0,
        "overhead_share": 0.012,
        "peak_memory_mb": 3210.5,
    }
    return RunRecord(**(record | changes))


def halted_record() -> RunRecord:
    """A run that the leak gate has halted after four stages."""
    run = run_record()
    leak = GateRecord(
        name="leak", figure=2, threshold=0, verdict="fail", detail="known secrets found, of 1412 looked for"
    )
    reason = "leak: 2 against 0 (known secrets found, of 1412 looked for): fail"
    changes = {"status": "halted", "halted_at": "leak", "reason": reason, "exit_code": 1}
    return run.model_copy(update={**changes, "gates": (*run.gates[:3], leak), "stages": run.stages[:4]})


def stage(directory: Path, report: GateReport | None = None, **training: Any) -> Path:
    """Write everything that stages write; returns the directory."""
    (directory / "adapter").mkdir(parents=True)
    report = report or attacks()
    _json(directory / "scores.json", SCORES)
    _json(directory / "attacks.json", report.model_dump(mode="json"))
    _json(directory / "adapter/training.json", TRAINING | training)
    (directory / "adapter/adapter_model.safetensors").write_bytes(bytes(range(256)) * 3)
    (directory / "seeds.jsonl").write_text('{"id": "seed-000001"}\n' * 60, "utf-8")
    lines = [json.dumps(_talk(i, *talk), ensure_ascii=False) for i, talk in enumerate(_TALKS)]
    (directory / "synthetic.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return directory


def _talk(number: int, domain: str, language: str, one: str, two: str, said: str, answered: str) -> dict[str, Any]:
    turns = [{"role": one, "text": said}, {"role": two, "text": answered}] * 5
    return {"id": f"seed-{number:06d}-0", "turns": turns, "domain": domain, "language": language}


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1), "utf-8")
