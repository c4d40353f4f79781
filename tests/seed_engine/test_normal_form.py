"""Normal form: searched as NFC, reported where it was written."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from seed_engine.normal_form import normalized
from seed_engine.spans import EntitySpan


@given(st.text(max_size=40))
def test_the_text_is_the_nfc_form(text: str) -> None:
    assert normalize("NFC", normalized(text).text) == normalize("NFC", text)


@given(st.text(st.sampled_from("aeñé 각나Åo"), min_size=1, max_size=30), st.data())
def test_a_span_goes_back_to_the_same_letters(text: str, data: st.DataObject) -> None:
    written = normalize("NFD", text)
    item = normalized(written)
    assert item.text == normalize("NFC", text)
    start = data.draw(st.integers(0, len(item.text) - 1))
    end = data.draw(st.integers(start + 1, len(item.text)))
    (span,) = item.back([EntitySpan(start, end, "PERSON", 1.0, "test")])
    assert normalize("NFC", written[span.start : span.end]) == item.text[start:end]
