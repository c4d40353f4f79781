"""The door to Opacus: three ways to clip each record's gradient, and one optimizer that adds the noise.

`fused` takes per-sample gradients in place of the summed ones (`training.fused`), `hooks` takes both, as Opacus does,
`ghost` takes norms only and goes backward twice. All give the same clipped sum; only time and memory differ.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, Protocol

from training.compute import products
from training.config import TrainingConfig
from training.fused import per_sample_gradients
from training.loss import padded, record_loss
from training.sampling import Entropy

# Without privacy nothing is clipped; a finite bound keeps "bound times no noise" at zero.
NO_CLIPPING = 1e9


class Clipping(Protocol):
    """Gradients of a model, clipped per record and summed.

    Attributes:
        optimizer: Opacus's, over the LoRA matrices; its step is noisy unless it was told to skip.
    """

    optimizer: Any

    def backward(self, windows: Sequence[tuple[int, ...]]) -> None:
        """Gradients of one physical batch, which may be empty."""
        ...

    def close(self) -> None:
        """Leave the model as it was found."""
        ...


def clipping_for(model: Any, adam: Any, noise_multiplier: float, config: TrainingConfig, entropy: Entropy) -> Clipping:
    """The configured way.

    Args:
        model: PEFT model in training mode.
        adam: optimizer over its trainable parameters.
        noise_multiplier: noise in units of the clipping bound; 0 without privacy.
        config: mode, bound, batch size and precision.
        entropy: where the noise comes from.
    """
    return CLIPPING[config.clipping](model, adam, noise_multiplier, config, entropy)


class _PerSample(ABC):
    """One gradient a record on each matrix; Opacus's optimizer takes norms, clips and sums."""

    def __init__(
        self, model: Any, adam: Any, noise_multiplier: float, config: TrainingConfig, entropy: Entropy
    ) -> None:
        from opacus.optimizers import DPOptimizer

        self._config = config
        self.optimizer = _noisy(DPOptimizer, adam, noise_multiplier, config, entropy)
        self._stack = ExitStack()
        self._module = self._hooked(model)

    def backward(self, windows: Sequence[tuple[int, ...]]) -> None:
        if not windows:
            # An empty Poisson batch: no gradients, but the step and its noise must happen.
            for parameter in self.optimizer.params:
                parameter.grad_sample = parameter.new_zeros((0, *parameter.shape))
            return
        with products(self._config.precision):
            losses = self._module(*padded(windows))
        _backward(losses.sum())

    def close(self) -> None:
        self._stack.close()

    @abstractmethod
    def _hooked(self, model: Any) -> Any:
        """The module that gives each record's loss, with whatever gathers its gradients in place."""


class Fused(_PerSample):
    """Per-sample gradients in place of the summed ones."""

    def _hooked(self, model: Any) -> Any:
        if self._config.gradient_checkpointing:
            base = model.get_base_model()
            base.activation_checkpointing_enable({"use_reentrant": False})
            self._stack.callback(base.activation_checkpointing_disable)
        self._stack.enter_context(per_sample_gradients(model))
        return record_loss(model)


class Hooks(_PerSample):
    """Opacus's hooks: per-sample gradients beside the summed ones."""

    def _hooked(self, model: Any) -> Any:
        from opacus import GradSampleModule

        wrapped = GradSampleModule(record_loss(model), loss_reduction="sum")
        # Hooks would go on collecting gradients of whatever is scored afterwards.
        self._stack.callback(wrapped.remove_hooks)
        return wrapped


class Ghost:
    """Opacus's ghost clipping: norms in a first backward pass, the clipped sum in a second.

    In float32 always: norms are not of the gradients that are summed, so their rounding could exceed the bound.
    """

    def __init__(
        self, model: Any, adam: Any, noise_multiplier: float, config: TrainingConfig, entropy: Entropy
    ) -> None:
        from opacus.grad_sample import GradSampleModuleFastGradientClipping
        from opacus.optimizers.optimizer_fast_gradient_clipping import DPOptimizerFastGradientClipping

        self.optimizer = _noisy(DPOptimizerFastGradientClipping, adam, noise_multiplier, config, entropy)
        self._module = GradSampleModuleFastGradientClipping(record_loss(model), loss_reduction="sum")

    def backward(self, windows: Sequence[tuple[int, ...]]) -> None:
        """The clipped sum of one physical batch, on `grad`."""
        if not windows:
            for parameter in self.optimizer.params:
                parameter.grad = parameter.new_zeros(parameter.shape)
            return
        losses = self._module(*padded(windows))
        _backward(losses.sum(), retain_graph=True)
        for parameter in self.optimizer.params:
            parameter.grad = None
        self._module.disable_hooks()
        scale = (self.optimizer.max_grad_norm / (self._module.get_norm_sample() + 1e-6)).clamp(max=1.0)
        _backward((scale * losses).sum())
        self._module.enable_hooks()

    def close(self) -> None:
        """Take the hooks off."""
        self._module.remove_hooks()


CLIPPING: dict[str, Callable[..., Clipping]] = {"fused": Fused, "hooks": Hooks, "ghost": Ghost}


def _backward(loss: Any, *, retain_graph: bool = False) -> None:
    with warnings.catch_warnings():
        # Token ids need no gradient, so the first hooks see none for their input; they do not use it.
        warnings.filterwarnings("ignore", message="Full backward hook is firing", category=UserWarning)
        loss.backward(retain_graph=retain_graph)


def _noisy(base: Any, adam: Any, noise_multiplier: float, config: TrainingConfig, entropy: Entropy) -> Any:
    import torch

    class Noisy(base):  # type: ignore[misc]  # Opacus ships no types
        """Opacus's optimizer with noise from the chosen generator, and float32 norms under bfloat16 products."""

        def _get_flat_grad_sample(self, p: Any) -> Any:
            # Norms taken in bfloat16 err by 0.4%, and the clipped sum would exceed its bound.
            return super()._get_flat_grad_sample(p).float()

        def add_noise(self) -> None:
            std = self.noise_multiplier * self.max_grad_norm
            for p in self.params:
                # A copy, for the mean is taken in place and the sum is still to be checked.
                p.grad = p.summed_grad.view_as(p).clone()
                if std > 0:
                    # The mean of four hides the floating-point lattice of each (Holohan and Braghin 2021, n = 2).
                    noise = sum(entropy.normal(p.numel()) for _ in range(4)) * (std / 2)
                    p.grad += torch.as_tensor(noise, dtype=p.dtype, device=p.device).view_as(p)

    return Noisy(
        adam,
        noise_multiplier=noise_multiplier,
        max_grad_norm=config.max_grad_norm if config.private else NO_CLIPPING,
        expected_batch_size=config.batch_size,
        loss_reduction="mean",
    )
