"""Every format of the contract reads to the same conversation; every fault stops with its line and quotes nothing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.errors import InputError
from seed_engine.readers import ReadTally, format_name, read_conversations, write_like

SECRET = "Zebulon Quark"
TURNS = [("customer", "Hi, I'm Zebulon Quark"), ("agent", "Hello, how can I help?"), ("customer", "my parcel")]


def _write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def _jsonl(key: str, role: str, text: str, **more: Any) -> str:
    return json.dumps({**more, key: [{role: who, text: said} for who, said in TURNS]}) + "\n"


FORMATS: dict[str, tuple[str, str]] = {
    "turns": ("jsonl", _jsonl("turns", "role", "text", id="a", source="x", acts=[1], spans=None)),
    "openai": ("jsonl", _jsonl("messages", "role", "content", id="a")),
    "sharegpt": ("jsonl", _jsonl("conversations", "from", "value", id="a")),
    "uncase": ("jsonl", _jsonl("turnos", "rol", "contenido", conversation_id="a", idioma="en", dominio="support")),
    "array": ("json", "[\n" + _jsonl("conversations", "from", "value", id="a") + "]"),
    "csv": (
        "csv",
        "conversation_id,turn,role,text\n" + "".join(f'a,{i},{r},"{t}"\n' for i, (r, t) in enumerate(TURNS)),
    ),
    "csv semicolon": (
        "csv",
        "conversation_id;turn;role;text\n" + "".join(f"a;{i};{r};{t}\n" for i, (r, t) in enumerate(TURNS)),
    ),
    "csv uncase": (
        "csv",
        "conversation_id,turn_number,role,content,seed_id,domain\n"
        + "".join(f'a,{i},{r},"{t}",s,\n' for i, (r, t) in enumerate(TURNS)),
    ),
    "csv shuffled": (
        "csv",
        "text,role,turn,conversation_id\n"
        + "".join(f'"{t}",{r},{i},a\n' for i, (r, t) in reversed(list(enumerate(TURNS)))),
    ),
    "transcript": ("transcript", "".join(f"{role.title()}: {text}\n" for role, text in TURNS)),
    "vtt": (
        "subtitles",
        "WEBVTT\n\n" + "".join(f"00:0{i}.000 --> 00:0{i}.900\n<v {r}>{t}</v>\n\n" for i, (r, t) in enumerate(TURNS)),
    ),
    "srt": (
        "subtitles",
        "".join(f"{i}\n00:00:0{i},000 --> 00:00:0{i},900\n{r}: {t}\n\n" for i, (r, t) in enumerate(TURNS, 1)),
    ),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("wrap", ["plain", "bom", "gzip", "crlf"])
def test_every_format_reads_the_same_turns(tmp_path: Path, name: str, wrap: str) -> None:
    form, content = FORMATS[name]
    raw = content.encode()
    raw = {"plain": raw, "bom": b"\xef\xbb\xbf" + raw, "gzip": gzip.compress(raw), "crlf": raw.replace(b"\n", b"\r\n")}[
        wrap
    ]
    path = _write(tmp_path / "a", raw)
    assert format_name(path) == form
    (conversation,) = read_conversations(path)
    assert [(turn.role, turn.text) for turn in conversation.turns] == TURNS
    assert conversation.id == "a"


def test_whatsapp_exports_keep_names_out_of_roles(tmp_path: Path) -> None:
    android = (
        "12/31/23, 9:14 PM - Messages and calls are end-to-end encrypted.\n"
        "12/31/23, 9:15 PM - Zebulon Quark: hi: there\nsecond line\n12/31/23, 9:16 PM - +44 7700 900123: hello\n"
    )
    ios = (
        "\u200e[31/12/23, 21:15:03] Zebulon Quark: hi: there\nsecond line\n"
        "[31/12/23, 21:16:03] +44 7700 900123: hello\n"
    )
    for content in (android, ios):
        path = _write(tmp_path / "chat", content)
        assert format_name(path) == "whatsapp"
        (conversation,) = read_conversations(path)
        assert [turn.role for turn in conversation.turns] == ["speaker_1", "speaker_2"]
        assert conversation.turns[0].name == SECRET
        assert conversation.turns[0].text == "hi: there\nsecond line"


def test_openai_parts_and_tool_calls(tmp_path: Path) -> None:
    record = {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": "x"}]},
            {"role": "assistant", "content": None, "tool_calls": [{"arguments": SECRET}]},
        ]
    }
    (conversation,) = read_conversations(_write(tmp_path / "a", json.dumps(record)))
    assert [turn.text for turn in conversation.turns] == ["look", ""]


def test_a_display_name_is_not_a_role(tmp_path: Path) -> None:
    (conversation,) = read_conversations(_write(tmp_path / "a.txt", "Ana: hola\nDoctor: buenas\nAna: me duele\n"))
    assert [turn.role for turn in conversation.turns] == ["speaker_1", "doctor", "speaker_1"]
    assert conversation.turns[0].name == "Ana"


def test_plain_text_is_a_document(tmp_path: Path) -> None:
    path = _write(tmp_path / "letter.txt", "Dear all,\nnothing here: really.\nBye\n")
    (conversation,) = read_conversations(path)
    assert (conversation.form, conversation.id, format_name(path)) == ("document", "letter", "text")


GOOD = '{"id": "g", "turns": [{"role": "a", "text": "b"}]}'
BAD_LINES: dict[str, tuple[str, str]] = {
    "half": ('{"id": "%s", "turns": [{"role": "a", "te', "not a whole JSON value"),
    "no turns": ('{"id": "%s", "turns": []}', "a conversation with no turn"),
    "turns is text": ('{"id": "x", "turns": "%s"}', "turns: a list is expected"),
    "turn is text": ('{"id": "x", "turns": ["%s"]}', "turns[0]: an object is expected"),
    "text is a number": ('{"id": "%s", "turns": [{"role": "a", "text": 3}]}', "turns[0]: no text"),
    "no text": ('{"id": "%s", "turns": [{"role": "a"}]}', "turns[0]: no text"),
    "no role": ('{"id": "%s", "turns": [{"text": "a"}]}', "turns[0]: no role"),
    "role is null": ('{"id": "%s", "turns": [{"role": null, "text": "a"}]}', "turns[0]: no role"),
    "id is a list": ('{"id": ["%s"], "turns": [{"role": "a", "text": "b"}]}', "id: string_type"),
    "language is a number": (
        '{"id": "%s", "language": 3, "turns": [{"role": "a", "text": "b"}]}',
        "language: string_type",
    ),
    "lone surrogate": ('{"id": "%s", "turns": [{"role": "a", "text": "\\ud800"}]}', "a lone surrogate, not text"),
    "a number": ("12", "a JSON object is expected"),
    "other keys": ('{"id": "x", "%s": 1}', "none of turns, messages, conversations, turnos or text"),
    "deep": ('{"turns": ' + "[" * 100_000, "not a whole JSON value"),
    "document is a number": ('{"id": "%s", "text": 1}', "turns.0.text: string_type"),
    "duplicate id": (GOOD, "an id that stands in the file before"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_broken_line_stops_with_its_number_and_quotes_nothing(tmp_path: Path, name: str) -> None:
    line, rule = BAD_LINES[name]
    path = _write(tmp_path / "in.jsonl", f"{GOOD}\n\n{line.replace('%s', SECRET)}\n")
    with pytest.raises(InputError) as caught:
        list(read_conversations(path))
    error = caught.value
    assert (error.line, error.rule) == (3, rule)
    assert SECRET not in f"{error!r} {error.__cause__!r} {error.__context__!r}"
    tally = ReadTally()
    assert [item.id for item in read_conversations(path, skip_bad=True, tally=tally)] == ["g"]
    assert (tally.read, tally.skipped, tally.faults) == (1, 1, [(3, rule)])


BAD_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "an empty file"),
    "blank": (b" \n\n", "an empty file"),
    "bom only": (b"\xef\xbb\xbf", "an empty file"),
    "latin-1 line": (GOOD.encode() + b'\n{"id": "caf\xe9"}\n', "not UTF-8"),
    "utf-16": ("Hola: que tal".encode("utf-16"), "not UTF-8"),
    "cut gzip": (gzip.compress(GOOD.encode() * 99)[:-12], "broken or cut-off gzip"),
    "rotten gzip": (b"\x1f\x8b" + b"\x00" * 40, "broken or cut-off gzip"),
    "broken array": (b'[{"turns": [', "not a whole JSON array"),
    "empty array": (b"[]", "no conversation in it"),
    "csv without rows": (b"conversation_id,turn,role,text\n", "no conversation in it"),
    "csv short row": (b"conversation_id,turn,role,text\na,1,x\n", "another number of columns than the header"),
    "csv open quote": (b'conversation_id,turn,role,text\na,1,x,"y\n', "broken CSV quoting"),
    "csv comes back": (
        b"conversation_id,turn,role,text\na,1,x,y\nb,1,x,y\na,2,x,y\n",
        "an id that stands in the file before",
    ),
    "csv no role": (b"conversation_id,turn,role,text\na,1,,y\n", "no role"),
    "vtt without cues": (b"WEBVTT\n\n", "a conversation with no turn"),
    "parquet": (b"PAR1" + b"\x00" * 20, "arquet"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_broken_files(tmp_path: Path, name: str) -> None:
    content, rule = BAD_FILES[name]
    with pytest.raises(InputError, match=rule):
        list(read_conversations(_write(tmp_path / "in", content)))


def test_a_missing_file_and_a_folder_are_input_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(InputError):
            list(read_conversations(path))


def test_the_limit_looks_at_nothing_beyond_it(tmp_path: Path) -> None:
    path = _write(tmp_path / "in.jsonl", f"{GOOD}\nrubbish\n")
    assert len(list(read_conversations(path, limit=1))) == 1


def test_reading_is_lazy(tmp_path: Path) -> None:
    lines = (json.dumps({"id": str(i), "turns": [{"role": "a", "text": "b"}]}) for i in range(5000))
    stream = read_conversations(_write(tmp_path / "in.jsonl", "\n".join([*lines, "rubbish"])))
    assert next(stream).id == "0"


def test_a_turn_of_5_mb_in_every_shape(tmp_path: Path) -> None:
    text = "ñ" * 2_500_000
    for content in (
        json.dumps({"id": "a", "turns": [{"role": "x", "text": text}]}, ensure_ascii=False),
        json.dumps({"id": "a", "messages": [{"role": "x", "content": text}]}),
        f"conversation_id,turn,role,text\na,1,x,{text}\n",
    ):
        (conversation,) = read_conversations(_write(tmp_path / "in", content))
        assert conversation.turns[0].text == text


@pytest.mark.parametrize(
    "name", ["turns", "openai", "sharegpt", "uncase", "array", "csv", "csv semicolon", "transcript"]
)
def test_written_like_the_source_reads_back(tmp_path: Path, name: str) -> None:
    source = _write(tmp_path / "in", FORMATS[name][1])
    replaced = [
        Conversation(id="a", turns=(Turn(role="customer", text='ñ "x",\t;'), Turn(role="agent", text="[AGENT_1] 😊")))
    ]
    assert write_like(source, tmp_path / "out", replaced) == 1
    (back,) = read_conversations(tmp_path / "out")
    assert [(turn.role, turn.text) for turn in back.turns] == [(turn.role, turn.text) for turn in replaced[0].turns]
    assert format_name(tmp_path / "out") == format_name(source)
    assert SECRET not in (tmp_path / "out").read_text("utf-8")


def test_documents_write_back_as_documents(tmp_path: Path) -> None:
    source = _write(tmp_path / "in", '{"id": "d", "text": "Zebulon Quark", "note": "Zebulon Quark"}\n')
    (document,) = read_conversations(source)
    write_like(source, tmp_path / "out", [document.model_copy(update={"turns": (Turn(role="document", text="x"),)})])
    assert json.loads((tmp_path / "out").read_text()) == {"id": "d", "text": "x"}


def test_a_failing_stream_leaves_no_file(tmp_path: Path) -> None:
    source = _write(tmp_path / "in", GOOD)

    def broken() -> Any:
        yield Conversation(id="a", turns=(Turn(role="a", text="b"),))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_like(source, tmp_path / "out", broken())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_any_bytes_give_conversations_or_an_input_error(tmp_path: Path, content: bytes) -> None:
    path = _write(tmp_path / "in", content)
    try:
        conversations = list(read_conversations(path))
    except InputError:
        return
    assert conversations


_texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(turns=st.lists(st.tuples(st.sampled_from(["a", "b"]), _texts), min_size=1, max_size=4))
@pytest.mark.parametrize("name", ["turns", "openai", "sharegpt", "uncase", "array"])
def test_json_shapes_round_trip_any_text(tmp_path: Path, name: str, turns: list[tuple[str, str]]) -> None:
    source = _write(tmp_path / "in", FORMATS[name][1])
    before = Conversation(id="a", turns=tuple(Turn(role=role, text=text) for role, text in turns))
    write_like(source, tmp_path / "out", [before])
    (after,) = read_conversations(tmp_path / "out")
    assert after.turns == before.turns
