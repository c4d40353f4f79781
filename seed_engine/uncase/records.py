"""UNCASE's seed, field by field (SeedSchema "1.0"), in its own words.

A record that was read dumps to what it was read from (`dump`), so that a seed which only passes through is not changed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from seed_engine.conversation import Boundary

DOMAINS = {
    "automotive.sales": "automotive",
    "medical.consultation": "medical",
    "legal.advisory": "legal",
    "finance.advisory": "finance",
    "industrial.support": "support",
    "education.tutoring": "tutoring",
}
Dominio = Literal[
    "automotive.sales",
    "medical.consultation",
    "legal.advisory",
    "finance.advisory",
    "industrial.support",
    "education.tutoring",
]
Share = Annotated[float, Field(ge=0, le=1)]


def _timestamp(text: str) -> str:
    datetime.fromisoformat(text)
    return text


# Kept as written, since rewriting a time zone would change a record that only passes through.
Timestamp = Annotated[str, AfterValidator(_timestamp)]


class PasosTurnos(Boundary):
    """How many turns, and the stages that they pass; `turnos_min` < `turnos_max`."""

    turnos_min: int = Field(ge=1)
    turnos_max: int = Field(ge=1)
    flujo_esperado: list[str] = Field(min_length=1)
    flujo_con_roles: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _ordered(self) -> PasosTurnos:
        if self.turnos_min >= self.turnos_max:
            raise ValueError("turnos_min must be less than turnos_max")
        return self


class ParametrosFactuales(Boundary):
    """What the conversation is set in; free text in UNCASE, labels when written here."""

    contexto: str
    restricciones: list[str] = Field(default_factory=list)
    herramientas: list[str] = Field(default_factory=list)
    herramientas_definidas: list[dict[str, Any]] | None = None
    metadata: dict[str, str] = Field(default_factory=dict)


class Privacidad(Boundary):
    """What UNCASE promises of a seed; nothing here relies on it."""

    pii_eliminado: bool = True
    metodo_anonimizacion: str = "presidio"
    nivel_confianza: Share = 0.85
    campos_sensibles_detectados: list[str] = Field(default_factory=list)


class MetricasCalidad(Boundary):
    """UNCASE's thresholds of quality, shares in [0, 1]."""

    rouge_l_min: Share = 0.65
    fidelidad_min: Share = 0.90
    diversidad_lexica_min: Share = 0.55
    coherencia_dialogica_min: Share = 0.85


class EjemploTurno(Boundary):
    """One turn of an example conversation: free text."""

    rol: str
    contenido: str


class Scenario(Boundary):
    """A scenario of a seed: free text and tool names."""

    name: str
    description: str = ""
    domain: str | None = None
    intent: str | None = None
    skill_level: str | None = None
    expected_tool_sequence: list[str] = Field(default_factory=list)
    flow_steps: list[str] = Field(default_factory=list)
    edge_case: bool = False
    weight: float = Field(default=1.0, ge=0)
    tags: list[str] = Field(default_factory=list)


class UncaseSeed(Boundary):
    """One seed as UNCASE writes it."""

    seed_id: str
    version: Literal["1.0"] = "1.0"
    dominio: Dominio
    idioma: str = "es"
    etiquetas: list[str] = Field(default_factory=list)
    roles: list[str] = Field(min_length=2)
    descripcion_roles: dict[str, str] = Field(default_factory=dict)
    objetivo: str
    tono: str = "profesional"
    pasos_turnos: PasosTurnos
    parametros_factuales: ParametrosFactuales
    privacidad: Privacidad = Privacidad()
    metricas_calidad: MetricasCalidad = MetricasCalidad()
    instrucciones_dominio: list[str] = Field(default_factory=list)
    restricciones_negativas: list[str] = Field(default_factory=list)
    ejemplo_conversacion: list[EjemploTurno] | None = None
    scenarios: list[Scenario] | None = None
    organization_id: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None

    @model_validator(mode="after")
    def _removed(self) -> UncaseSeed:
        if self.privacidad.campos_sensibles_detectados and not self.privacidad.pii_eliminado:
            raise ValueError("personal fields were detected but pii_eliminado is false")
        return self

    def dump(self) -> dict[str, Any]:
        """The JSON object, with the fields that it was read or made with."""
        return self.model_dump(mode="json", exclude_unset=True)
