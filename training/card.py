"""The adapter's model card: what it may claim, in words, from training.json alone."""

from __future__ import annotations

from training.record import TrainingRun


def model_card(run: TrainingRun) -> str:
    """README.md of an adapter folder (Markdown with the usual front matter)."""
    head = "---\nbase_model: SmolLM2-135M-Instruct\nlibrary_name: peft\ntags: [lora, differential-privacy]\n---\n\n"
    return head + "\n".join([*_claim(run), "", *_audit(run), "", *_use(run), "", *_limits(run), ""])


def _claim(run: TrainingRun) -> list[str]:
    if not run.private:
        return ["# Adapter trained WITHOUT privacy", "", "For comparison only. It can never be certified."]
    loose = "; ".join(f"{name.upper()} {value:.3f}" for name, value in sorted(run.accountants.items()))
    return [
        f"# Adapter trained with ({run.epsilon:.3f}, {run.delta:g})-differential privacy",
        "",
        f"DP-SGD on LoRA matrices: {run.steps} steps, {run.sampler} sampling at rate {run.sample_rate:.5f}, noise "
        f"multiplier {run.noise_multiplier:.4f}, clipping bound {run.max_grad_norm:g}.",
        f"Epsilon by accountant: {loose}. The larger of PRV and PLD is claimed.",
        f"Unit of privacy: {run.unit}; {run.unit_bound}. Neighbours: one unit added or removed.",
        *_ledger(run),
        "Noise, batches and the canaries' coins were drawn from the operating system's generator."
        if run.noise_generator == "os"
        else "**Noise and batches follow from a published seed: anybody can subtract the noise. For tests only.**",
    ]


def _ledger(run: TrainingRun) -> list[str]:
    if run.epsilon_spent is None:
        return []
    return [f"All trainings booked on these data together: epsilon {run.epsilon_spent:.3f} of {run.epsilon_ceiling:g}."]


def _audit(run: TrainingRun) -> list[str]:
    audit = run.audit
    return [
        f"One-run audit on {audit.canaries} canaries: epsilon is at least {audit.epsilon_lower_bound:.2f} "
        f"({audit.confidence:.0%} confidence); an audit of this size can show {audit.ceiling:.2f} at most.",
    ]


def _use(run: TrainingRun) -> list[str]:
    return [
        "## Use",
        "",
        "`semilla generate SEEDS -o FILE --model FOLDER` lays it over the embedded base model. With PEFT: load the "
        "base from its GGUF in transformers and call `PeftModel.from_pretrained(base, FOLDER)`.",
        f"Base: SmolLM2-135M-Instruct (Apache 2.0), SHA-256 {run.base_sha256}; weights here: {run.adapter_sha256}.",
        f"Trained on {run.units} units, {run.member_canaries} of them canaries: random codes that say nothing about "
        "anybody, listed in canaries.json so that the audit can be repeated. No figure here was tuned on the data.",
    ]


def _limits(run: TrainingRun) -> list[str]:
    covered = [
        f"The number of units ({run.units}) is taken as public, and timings are not covered. The guarantee covers this "
        "training only: not what happened to the data before it, and not other trainings on the same data.",
    ]
    return [
        "## Limits",
        "",
        *(covered if run.private else []),
        "A base model of 135 million parameters writes plain short turns, errs, and knows no facts worth relying on; "
        "few records under a small epsilon teach it little.",
    ]
