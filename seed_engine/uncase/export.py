"""A seed in UNCASE's words: every string a label, a marker, or a fixed word of this file.

`from_uncase` reads back exactly the seed that was written: the steps stand in `flujo_con_roles`, what UNCASE has no
field for in `parametros_factuales.metadata`.
"""

from __future__ import annotations

from seed_engine.seed import Floors, Guarantee, Seed
from seed_engine.uncase.records import DOMAINS, ParametrosFactuales, PasosTurnos, Privacidad, UncaseSeed

TONES = {
    "neutral": "profesional",
    "friendly": "amigable",
    "formal": "formal",
    "frustrated": "frustrado",
    "anxious": "ansioso",
    "grateful": "agradecido",
}
METHOD = "closed_alphabet"
# An open band needs an end there: twice its beginning.
_OPEN_END = 2


class NoCounterpart(ValueError):  # noqa: N818 - says what it is
    """UNCASE has no such domain; the message names it, which is a label."""


def to_uncase(seed: Seed) -> UncaseSeed:
    """The seed as UNCASE's SeedSchema 1.0.

    Raises:
        NoCounterpart: the seed's domain (`general`, or a user's own) is none of UNCASE's six.
    """
    dominio = next((name for name, own in DOMAINS.items() if own == seed.domain), None)
    if dominio is None:
        raise NoCounterpart(f"UNCASE has no domain for {seed.domain}")
    low, _, high = seed.turn_range.rstrip("+").partition("-")
    topics = tuple(dict.fromkeys(step.topic for step in seed.flow))
    record = {
        "seed_id": seed.id,
        "version": "1.0",
        "dominio": dominio,
        "idioma": seed.language,
        "etiquetas": [seed.objective, *topics],
        "roles": list(seed.roles),
        "descripcion_roles": {role: role for role in seed.roles},
        "objetivo": seed.objective,
        "tono": TONES[seed.tone],
        "pasos_turnos": PasosTurnos(
            turnos_min=int(low),
            turnos_max=int(high) if high else _OPEN_END * int(low),
            flujo_esperado=[step.act for step in seed.flow],
            flujo_con_roles=["|".join((step.role, step.act, step.topic, *step.slots)) for step in seed.flow],
        ),
        "parametros_factuales": ParametrosFactuales(
            contexto=", ".join(topics),
            restricciones=[],
            herramientas=[],
            metadata={
                "vocabulary_version": seed.vocabulary_version,
                "turn_range": seed.turn_range,
                "tone": seed.tone,
                **seed.facts,
                **_numbers(seed.privacy),
                **_numbers(seed.floors),
            },
        ),
        "privacidad": Privacidad(pii_eliminado=True, metodo_anonimizacion=METHOD),
    }
    return UncaseSeed.model_validate(record)


def _numbers(record: Guarantee | Floors | None) -> dict[str, str]:
    return {name: repr(value) for name, value in record or () if value is not None}
