"""UNCASE's seeds load, validate and come back unchanged; nothing of their free text enters a seed, nor ours theirs."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.markers import parse_marker
from seed_engine.readers import read_conversations
from seed_engine.schema import violations
from seed_engine.seed import Floors, Guarantee, Seed
from seed_engine.spans import EntitySpan
from seed_engine.uncase import (
    NoCounterpart,
    csv_rows,
    free_text,
    from_uncase,
    is_uncase,
    read_uncase,
    to_uncase,
    to_uncase_conversation,
    uncase_violations,
)
from seed_engine.uncase.conversations import CSV_COLUMNS
from seed_engine.uncase.export import METHOD, TONES
from seed_engine.uncase.records import DOMAINS, Privacidad
from seed_engine.vocabulary import vocabulary
from tests.generator.seeds import seeds
from tests.seed_engine.test_schema import GOOD

SAMPLES = Path("/work/shared/data/uncase/sample_seeds.json")
FULL: dict[str, Any] = {
    "seed_id": "seed_revision_001",
    "version": "1.0",
    "dominio": "medical.consultation",
    "idioma": "es",
    "etiquetas": ["tension", "medicacion"],
    "roles": ["paciente", "medica"],
    "descripcion_roles": {"paciente": "Persona que acude a revision"},
    "objetivo": "Revisar la medicacion de la tension",
    "tono": "empatico",
    "pasos_turnos": {
        "turnos_min": 4,
        "turnos_max": 9,
        "flujo_esperado": ["saludo", "consulta_sintomas", "explicacion_medicacion", "despedida"],
        "flujo_con_roles": ["medica: saludo"],
    },
    "parametros_factuales": {
        "contexto": "Consulta de atencion primaria",
        "restricciones": ["Sin cambios bruscos de dosis"],
        "herramientas": ["historia_clinica"],
        "herramientas_definidas": [{"name": "historia_clinica", "parameters": {"type": "object"}}],
        "metadata": {"tipo_visita": "revision"},
    },
    "privacidad": {"pii_eliminado": True, "metodo_anonimizacion": "presidio", "nivel_confianza": 0.9},
    "metricas_calidad": {"rouge_l_min": 0.7},
    "instrucciones_dominio": ["Hable con calma"],
    "restricciones_negativas": ["No prometa una cura"],
    "ejemplo_conversacion": [{"rol": "paciente", "contenido": "Buenos dias, soy [PERSON]"}],
    "scenarios": [{"name": "revision", "flow_steps": ["saludo"], "weight": 2.0, "tags": ["a"]}],
    "organization_id": None,
    "created_at": "2026-02-25T10:00:00Z",
}


def nobody(texts: Sequence[str], language: str) -> list[list[EntitySpan]]:
    return [[] for _ in texts]


def zebulon(texts: Sequence[str], language: str) -> list[list[EntitySpan]]:
    return [
        [EntitySpan(text.index("Zebulon"), text.index("Zebulon") + 7, "PERSON", 0.7, "t")] if "Zebulon" in text else []
        for text in texts
    ]


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *strings(item))]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


def test_a_full_record_loads_validates_and_comes_back() -> None:
    seed = read_uncase(FULL)
    assert seed is not None
    assert seed.dump() == FULL
    assert uncase_violations(FULL, nobody) == ()
    own = from_uncase(seed, "seed-000001")
    assert violations(own) == ()
    assert (own.domain, own.language, own.roles) == ("medical", "es", ("patient", "doctor"))
    assert (own.objective, own.tone, own.turn_range) == ("review_medication", "friendly", "5-8")
    assert [step.act for step in own.flow] == ["initialGreeting", "setQuestion", "instruct", "initialGoodbye"]


@pytest.mark.skipif(not SAMPLES.exists(), reason="UNCASE's samples are not on this machine")
def test_their_own_samples() -> None:
    objectives = []
    for record in json.loads(SAMPLES.read_text("utf-8")):
        assert is_uncase(record)
        assert uncase_violations(record, nobody) == ()
        seed = read_uncase(record)
        assert seed is not None
        assert seed.dump() == record
        own = from_uncase(seed, "seed-000001")
        assert violations(own) == ()
        objectives.append(own.objective)
    assert objectives == [
        "arrange_financing",
        "find_vehicle",
        "negotiate_price",
        "arrange_financing",
        "follow_up_sale",
    ]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seeds().filter(lambda seed: seed.domain in DOMAINS.values()), st.booleans())
def test_every_seed_comes_back_from_uncase_without_its_promises(seed: Seed, promised: bool) -> None:
    spoken = tuple(dict.fromkeys(step.role for step in seed.flow))
    privacy = Guarantee(k=5, epsilon=2.5, delta=1e-6) if promised else None
    seed = seed.model_copy(
        update={
            "privacy": privacy,
            "floors": Floors(mattr=40, composite=70) if promised else None,
            "roles": (*spoken, *(r for r in seed.roles if r not in spoken)),
        }
    )
    written = json.loads(json.dumps(to_uncase(seed).dump()))
    assert uncase_violations(written, nobody) == ()
    record = read_uncase(written)
    assert record is not None
    assert from_uncase(record, seed.id) == seed.model_copy(update={"privacy": None, "floors": None})


def test_a_record_can_neither_forge_a_promise_nor_bring_a_number_in() -> None:
    written: Any = to_uncase(Seed.model_validate(GOOD)).dump()
    for forged in ({"k": "34600123456"}, {"epsilon": "0.0034600123456"}, {"delta": "1e-9", "mattr": "34"}):
        record = copy.deepcopy(written)
        record["parametros_factuales"]["metadata"] |= forged
        read = read_uncase(record)
        assert read is not None
        own = from_uncase(read, "seed-000001")
        assert (own.privacy, own.floors) == (None, None)
        assert violations(own) == ()
        assert not any(value in own.model_dump_json() for value in forged.values())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seeds().filter(lambda seed: seed.domain in DOMAINS.values()))
def test_what_is_written_for_uncase_is_labels_markers_and_fixed_words(seed: Seed) -> None:
    known = vocabulary()
    profile = known.domain(seed.domain)
    labels = {*known.dialogue_acts, *known.slots, *known.tones, *known.languages, *known.turn_bands, known.version}
    labels |= {*profile.topics, *profile.objectives, *profile.roles, *TONES.values(), *DOMAINS, METHOD, seed.id, "1.0"}
    labels |= set(strings({key: {} for key in ("turn_range", "tone", "vocabulary_version")}))
    labels |= {key for key in strings(FULL) if key.islower() and key.replace("_", "").isalpha()} - set(
        FULL["etiquetas"]
    )
    for text in strings(to_uncase(seed).dump()):
        for part in text.replace(", ", "|").split("|") if not text.startswith("[") else [text]:
            if part not in labels:
                parse_marker(part)


_word = st.sampled_from(["Zebulon", "quark", "Calle_Elm_12", "financiamiento", "saludo"])


@settings(max_examples=60, deadline=None)
@given(st.lists(_word, min_size=2, max_size=4, unique=True), st.sampled_from(sorted(DOMAINS)), _word, _word)
def test_free_text_chooses_labels_and_is_never_copied(stages: list[str], dominio: str, aim: str, tone: str) -> None:
    record = copy.deepcopy(FULL) | {
        "dominio": dominio,
        "objetivo": aim,
        "tono": tone,
        "roles": stages,
        "idioma": aim,
        "etiquetas": stages,
        "seed_id": aim,
    }
    record["pasos_turnos"]["flujo_esperado"] = stages
    # Nor does a record that claims to be ours.
    record["privacidad"]["metodo_anonimizacion"] = METHOD
    record["pasos_turnos"]["flujo_con_roles"] = [f"{aim}|{tone}|{aim}|{aim}"]
    record["parametros_factuales"]["metadata"] = {"turn_range": aim, "tone": tone, aim: aim}
    seed = read_uncase(record)
    assert seed is not None
    own = from_uncase(seed, "seed-000001")
    assert violations(own) == ()
    written = own.model_dump_json()
    assert not any(word in written for word in ("Zebulon", "quark", "Elm", "financiamiento", "saludo"))


FAULTS: list[tuple[str, Any, str]] = [
    ("version", "2.0", "version"),
    ("dominio", "Zebulon", "dominio"),
    ("roles", ["Zebulon"], "roles"),
    ("pasos_turnos", {"turnos_min": 5, "turnos_max": 5, "flujo_esperado": ["x"]}, "pasos_turnos"),
    ("pasos_turnos", {"turnos_min": 0, "turnos_max": 5, "flujo_esperado": []}, "pasos_turnos.turnos_min"),
    ("privacidad", {"pii_eliminado": False, "campos_sensibles_detectados": ["Zebulon"]}, ""),
    ("metricas_calidad", {"rouge_l_min": 1.5}, "metricas_calidad.rouge_l_min"),
    ("created_at", "Zebulon", "created_at"),
    ("Zebulon", 1, "?"),
]


@pytest.mark.parametrize(("field", "value", "path"), FAULTS)
def test_faults_of_form_are_named_and_not_quoted(field: str, value: Any, path: str) -> None:
    faults = uncase_violations(FULL | {field: value}, nobody)
    assert path in [fault.path for fault in faults]
    assert "Zebulon" not in repr(faults)
    assert read_uncase(FULL | {field: value}) is None


@pytest.mark.parametrize("place", [path for path, _ in free_text(read_uncase(FULL) or pytest.fail("FULL"))][:12])
def test_a_person_in_any_free_text_is_a_fault(place: str) -> None:
    record: Any = copy.deepcopy(FULL)
    target = record
    *parents, last = [int(p) if p.isdigit() else p for p in place.replace("[", ".").replace("]", "").split(".")]
    for part in parents:
        target = target[part]
    if isinstance(last, str) and last.startswith("?"):
        target["Zebulon"] = "x"
    else:
        target[last] = "hable con Zebulon"
    faults = uncase_violations(record, zebulon)
    assert [fault.rule for fault in faults] == ["free text holds PERSON"]
    assert "Zebulon" not in repr(faults)


def test_their_markers_are_nobody() -> None:
    seen: list[str] = []

    def watch(texts: Sequence[str], language: str) -> list[list[EntitySpan]]:
        seen.extend(texts)
        return nobody(texts, language)

    assert uncase_violations(FULL, watch) == ()
    assert not any("[PERSON]" in text for text in seen)


def test_domains_that_uncase_lacks_are_said_to_be() -> None:
    seed = Seed(
        id="seed-000001", domain="general", language="en", roles=("user", "assistant"), objective="play_media",
        tone="neutral", turn_range="1-4", flow=({"role": "user", "act": "inform", "topic": "media"},),
    )  # fmt: skip
    with pytest.raises(NoCounterpart, match="general"):
        to_uncase(seed)


def test_synthetic_conversations_are_written_in_both_forms_and_read_back(tmp_path: Path) -> None:
    turns = (Turn(role="patient", text="I'm [PATIENT_1]."), Turn(role="doctor", text='Hello, "there",\nwelcome.'))
    conversation = Conversation(
        id="synthetic-000001",
        turns=turns,
        language="en",
        domain="medical",
        provenance="synthetic",
        seed_id="seed-000001",
    )
    record = to_uncase_conversation(conversation)
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(record), "utf-8")
    (back,) = read_conversations(path)
    assert (back.id, back.turns, back.language) == (conversation.id, turns, "en")
    assert [turn["turno"] for turn in record["turnos"]] == [1, 2]
    assert (record["es_sintetica"], record["dominio"]) == (True, "medical.consultation")
    import csv

    with (tmp_path / "c.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([CSV_COLUMNS, *csv_rows(conversation)])
    (back,) = read_conversations(tmp_path / "c.csv")
    assert (back.id, back.turns) == (conversation.id, turns)


def test_a_source_is_never_handed_on() -> None:
    source = Conversation(id="c", turns=(Turn(role="patient", text="x"),))
    with pytest.raises(ValueError, match="synthetic"):
        to_uncase_conversation(source)


def test_no_confidence_is_claimed_that_nobody_measured() -> None:
    assert to_uncase(Seed.model_validate(GOOD)).privacidad.nivel_confianza == Privacidad().nivel_confianza
