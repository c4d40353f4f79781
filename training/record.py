"""training.json: what a training did and what it may claim."""

from __future__ import annotations

from pydantic import ConfigDict

from seed_engine.conversation import Boundary
from training.audit import Audit


class TrainingRun(Boundary):
    """The record of one training, published beside the adapter.

    No figure in it was computed from the data outside the privacy account but counts, which are taken as public:
    losses on the training data are not here for that reason, and the loss curve is of public texts.

    Attributes:
        private: False when trained without clipping and noise; such an adapter can never be certified.
        epsilon: claimed privacy loss, add-or-remove-one unit; the larger of PRV and PLD; infinite if not private.
        delta: probability with which epsilon may not hold.
        noise_multiplier: noise in units of the clipping bound; 0 if not private.
        sample_rate: probability of each unit in each step.
        steps: noisy steps taken.
        max_grad_norm: clipping bound of a unit's gradient.
        unit: what one unit of privacy is.
        unit_bound: how far one unit can move a step, however much it brought.
        clipping: how gradients were clipped: `fused`, `hooks` or `ghost`.
        epsilon_spent: of all trainings booked in the ledger, this one included; None without a ledger.
        epsilon_ceiling: of the ledger; None without one.
        units: units trained on, members among the canaries included.
        member_canaries: canaries among the units.
        sampler: `poisson`, as found on the loader that was used.
        noise_generator: `os`, or `seeded`: then whoever knows the seed can subtract the noise.
        accountants: epsilon by accountant; empty if not private.
        audit: lower bound on epsilon from the canaries of this run.
        tokens_per_second: trained tokens by wall time of the training loop, to two digits: tokens are a count of the
            data, and no timing is covered by the guarantee.
        base_sha256: of the base model's file.
        frozen_sha256: of the base's parameters in memory, found unchanged after training.
        adapter_sha256: of adapter_model.safetensors.
        loss_curve: (step, nats a token) on public texts that are the same for every training; see `training.curve`.
        config: the configuration, as used.
        versions: of the engines.
    """

    model_config = ConfigDict(ser_json_inf_nan="strings")

    schema_version: str = "1"
    private: bool
    epsilon: float
    delta: float
    noise_multiplier: float
    sample_rate: float
    steps: int
    max_grad_norm: float
    unit: str
    unit_bound: str
    clipping: str
    epsilon_spent: float | None = None
    epsilon_ceiling: float | None = None
    units: int
    member_canaries: int
    sampler: str
    noise_generator: str
    accountants: dict[str, float]
    audit: Audit
    tokens_per_second: float
    base_sha256: str
    frozen_sha256: str
    adapter_sha256: str
    loss_curve: tuple[tuple[int, float], ...] = ()
    config: dict[str, object]
    versions: dict[str, str]

    @property
    def records(self) -> int:
        """Records trained on: one a unit."""
        return self.units
