"""Whatever a source carries beside its texts is known, in every format and place; what says nothing is not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from seed_engine.carried import carried, says_nothing
from seed_engine.conversation import Conversation, Turn
from seed_engine.readers import read_conversations, write_like
from seed_engine.secrets import SecretIndex

NAME, MAIL = "Quenvarius Ploddington", "q.ploddington@example.org"
TURNS = [{"role": "customer", "text": "hello"}, {"role": "agent", "text": "hi"}]


def values(path: Path) -> set[str]:
    return {secret.value for item in read_conversations(path) for secret in carried(item)}


def record(**more: Any) -> str:
    return json.dumps({"id": "c1", "turns": TURNS} | more)


PLACES: dict[str, str] = {
    "id": record(id=NAME),
    "subject": record(subject=NAME),
    "role": record(turns=[{"role": NAME, "text": "hello"}, *TURNS]),
    "display name": record(turns=[{"role": "user", "name": NAME, "text": "hello"}, *TURNS]),
    "domain": record(domain=NAME),
    "second domain": record(domain=["support", NAME]),
    "language": record(language=NAME),
    "top level": record(customer=NAME),
    "nested": record(meta={"a": [{"b": {"c": [1, NAME]}}]}),
    "a key that is data": record(meta={NAME: 3}),
    "turn level": record(turns=[{"role": "customer", "text": "hello", "author": {"name": NAME}}, *TURNS]),
    "name that is no text": record(turns=[{"role": "user", "name": [NAME], "text": "hello"}]),
    "both text keys": record(turns=[{"role": "user", "text": "hello", "content": NAME}]),
    "two shapes": record(text=NAME),
    "openai part": json.dumps({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": NAME}]}]}),
    "tool call": json.dumps(
        {"messages": [{"role": "assistant", "content": None, "tool_calls": [{"arguments": NAME}]}]}
    ),
    "sharegpt": json.dumps({"conversations": [{"from": "human", "value": "hi"}], "owner": NAME}),
    "uncase id": json.dumps({"conversation_id": NAME, "turnos": [{"rol": "a", "contenido": "hola"}]}),
    "document": json.dumps({"id": "d", "text": "hello", "author": NAME}),
    "array": json.dumps([{"id": "c", "turns": TURNS, "author": NAME}]),
    "csv id": f'conversation_id,turn,role,text\n"{NAME}",1,user,hello\n',
    "csv column": f"conversation_id,turn,role,text,agent_name\nc,1,user,hello,{NAME}\n",
    "csv second row": f"conversation_id,turn,role,text,agent_name\nc,1,user,hello,\nc,2,agent,hello,{NAME}\n",
    "csv second subject": f"conversation_id,turn,role,text,subject\nc,1,user,hello,a\nc,2,agent,hello,{NAME}\n",
    "transcript": f"{NAME}: hello\nAgent: hi\n{NAME}: bye\n",
    "whatsapp speaker": f"12/31/23, 9:15 PM - {NAME}: hi there\n",
    "whatsapp notice": f"12/31/23, 9:14 PM - {NAME}\n12/31/23, 9:15 PM - Ana: hi there\n",
    "vtt note": f"WEBVTT\n\nNOTE\n{NAME}\n\n00:01.000 --> 00:02.000\n<v Agent>hello</v>\n",
}


@pytest.mark.parametrize("place", PLACES)
def test_it_is_known_wherever_it_stands(tmp_path: Path, place: str) -> None:
    path = tmp_path / "in"
    path.write_text(PLACES[place], "utf-8")
    assert NAME in values(path)


def test_numbers_and_dates_are_carried_and_measurements_are_not(tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_text(record(phone=34600111222, born="1985-03-12", age=41, weights=[0.12345678], active=True, code="007"))
    assert values(path) == {"c1", "34600111222", "1985-03-12"}


@pytest.mark.parametrize("key", ["Maria", "quenvarius", "MariaQuill", "maria_quill", "pupil2Quill", "田中", "QUILL"])
@pytest.mark.parametrize("place", ["top", "nested", "turn"])
def test_a_key_that_is_a_name_is_known_though_it_looks_like_a_field(tmp_path: Path, key: str, place: str) -> None:
    named = {"name": "agent", key: 3}
    turns = [TURNS[0] | named, *TURNS] if place == "turn" else TURNS
    (tmp_path / "in").write_text(record(turns=turns, **{"top": named, "nested": {"meta": [named]}}.get(place, {})))
    assert key in values(tmp_path / "in")


@pytest.mark.parametrize(
    "key",
    [
        "meta",
        "created_at",
        "createdAt",
        "turn_id",
        "turnID2",
        "csat_score",
        "intent",
        "annotationsByTurn",
        "idioma",
        "c",
    ],
)
def test_a_fields_name_is_nobodys(tmp_path: Path, key: str) -> None:
    (tmp_path / "in").write_text(record(**{key: {key: 3}}))
    assert values(tmp_path / "in") == {"c1"}


@pytest.mark.parametrize(
    "value",
    ["customer", "Agent", "AGENT 2", "speaker_1", "teacher", "profesora", "7", "007", "999", "support", "en",
     "seed-000001-0", "seed-000001", "line-12", " doctor "],
)  # fmt: skip
def test_what_anybody_could_carry_says_nothing(value: str) -> None:
    assert says_nothing(value)


@pytest.mark.parametrize(
    "value",
    ["1000", "Quenvarius", "agent smith", "customer 1234", "seed-0000001", "seed-000001-12345", "line-x", "dr quill"],
)
def test_what_may_name_somebody_does_not(value: str) -> None:
    assert not says_nothing(value)


def test_metadata_is_searched_for_and_never_written(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(record(customer=NAME, mail=MAIL) + "\n")
    (item,) = read_conversations(path)
    assert set(item.metadata) == {NAME, MAIL}
    assert NAME not in repr(item) + item.model_dump_json() + str(item.model_dump())
    write_like(path, tmp_path / "out.jsonl", [item])
    assert NAME not in (tmp_path / "out.jsonl").read_text()


def test_a_file_name_that_became_an_id_is_known_without_its_number(tmp_path: Path) -> None:
    path = tmp_path / "quenvarius_ploddington.txt"
    path.write_text("Dear all, nothing here.\n")
    (item,) = read_conversations(path, prefix="3/")
    assert item.id == "3/quenvarius_ploddington"
    assert "quenvarius_ploddington" in {secret.value for secret in carried(item)}


@pytest.mark.parametrize("spelling", [NAME, NAME.upper(), "ploddington, quenvarius", "quenvarius.ploddington", MAIL])
def test_the_leak_gate_finds_them_in_any_spelling(spelling: str) -> None:
    turns = (Turn(role=NAME, text="hello"), Turn(role="agent", text="hi"))
    item = Conversation(id="c1", turns=turns, metadata=(MAIL,))
    index = SecretIndex.build(((s.value, s.entity_type) for s in carried(item)), os.urandom(32))
    assert index.find([f"it says {spelling} here"])
    assert not index.find(["the agent says hi to the customer, c1 of 999"])


JSON_LINES = '{"turns": [{"role": "a", "text": "b"}]}\n'
WITHOUT_IDS = {"jsonl": JSON_LINES * 2, "array": "[" + JSON_LINES.strip() + "]", "text": "nothing here\n",
               "transcript": "Ana: hi\nAgent: hi\nAna: bye\n---\nAna: hi\nAgent: hi\n",
               "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Agent>hello</v>\n",
               "whatsapp": "12/31/23, 9:15 PM - Ana: hi there\n"}  # fmt: skip


@pytest.mark.parametrize("name", WITHOUT_IDS)
def test_ids_that_the_reader_makes_take_the_prefix_of_their_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "chat"
    path.write_text(WITHOUT_IDS[name])
    plain = [item.id for item in read_conversations(path)]
    assert [item.id for item in read_conversations(path, prefix="2/")] == [f"2/{made}" for made in plain]


@pytest.mark.parametrize("given", [record(id="mine"), record(id=7), "conversation_id,turn,role,text\nmine,1,a,b\n"])
def test_ids_of_the_file_stay_as_they_are(tmp_path: Path, given: str) -> None:
    path = tmp_path / "in"
    path.write_text(given)
    assert [item.id for item in read_conversations(path, prefix="2/")] in (["mine"], ["7"])
