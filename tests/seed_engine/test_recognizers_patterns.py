"""Every pattern recognizer finds what it is for, and lets ordinary text alone."""

from pathlib import Path

import pytest

from seed_engine import recognizers
from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector
from seed_engine.policy import keep
from seed_engine.recognizers.pattern import scan
from seed_engine.recognizers.registry import RECOGNIZERS
from tests.clock import growth

# text, value, entity type, language. Numbers with check digits are made up but valid.
FOUND = [
    ("write to ana.perez+x@mail.example.com please", "ana.perez+x@mail.example.com", "EMAIL_ADDRESS", "en"),
    ("it is tom dot reed at gmail dot com ok", "tom dot reed at gmail dot com", "EMAIL_ADDRESS", "en"),
    ("es luz arroba correo punto es", "luz arroba correo punto es", "EMAIL_ADDRESS", "es"),
    ("see https://meet.example.org/j/99?x=1.", "https://meet.example.org/j/99?x=1", "URL", "en"),
    ("www.example.net/me", "www.example.net/me", "URL", "en"),
    ("my blog is smithfamily.co.uk", "smithfamily.co.uk", "URL", "en"),
    ("logged in from 10.21.3.44", "10.21.3.44", "IP_ADDRESS", "en"),
    ("from 2001:db8::8a2e:370:7334 today", "2001:db8::8a2e:370:7334", "IP_ADDRESS", "en"),
    ("mac 3c:22:fb:0a:9d:11", "3c:22:fb:0a:9d:11", "MAC_ADDRESS", "en"),
    ("ask @river_stone9 about it", "@river_stone9", "USERNAME", "en"),
    ("my username is mk_77 ok", "mk_77", "USERNAME", "en"),
    ("+44 7700 900123 is mine", "+44 7700 900123", "PHONE_NUMBER", "en"),
    ("(415) 555-0132", "(415) 555-0132", "PHONE_NUMBER", "en"),
    ("call me at 5247475939", "5247475939", "PHONE_NUMBER", "en"),
    ("mi móvil es 612 34 56 78", "612 34 56 78", "PHONE_NUMBER", "es"),
    ("five five five oh one three two", "five five five oh one three two", "PHONE_NUMBER", "en"),
    ("seis uno dos tres cuatro cinco seis", "seis uno dos tres cuatro cinco seis", "PHONE_NUMBER", "es"),
    ("card 4111 1111 1111 1111", "4111 1111 1111 1111", "CREDIT_CARD", "en"),
    ("IBAN ES91 2100 0418 4502 0005 1332", "ES91 2100 0418 4502 0005 1332", "IBAN_CODE", "es"),
    ("IFSC: HDFC0001234", "HDFC0001234", "BANK_ACCOUNT", "en"),
    ("sort code 20-00-00", "20-00-00", "BANK_ACCOUNT", "en"),
    ("account number is 12345678", "12345678", "BANK_ACCOUNT", "en"),
    ("my ssn is 536-22-1234", "536-22-1234", "US_SSN", "en"),
    ("NINO AB123456C", "AB123456C", "UK_NINO", "en"),
    ("PAN ABCPE1234F", "ABCPE1234F", "IN_PAN", "en"),
    ("CURP GOMC960912HDFRRL09", "GOMC960912HDFRRL09", "MX_CURP", "es"),
    ("mi dni es 12345678Z", "12345678Z", "ES_NIF", "es"),
    ("NIE X1234567L", "X1234567L", "ES_NIE", "es"),
    ("codice RSSMRA85T10A562S", "RSSMRA85T10A562S", "IT_FISCAL_CODE", "en"),
    ("マイナンバーは1234 5678 9012です", "1234 5678 9012", "JP_MY_NUMBER", "ja"),
    ("passport number M90440034", "M90440034", "PASSPORT", "en"),
    ("mi pasaporte es AAB123456", "AAB123456", "PASSPORT", "es"),
    ("driver's license D1234567", "D1234567", "DRIVER_LICENSE", "en"),
    ("(MRN: TX108765)", "TX108765", "MEDICAL_RECORD", "en"),
    ("NHC: 2569870.", "2569870", "MEDICAL_RECORD", "es"),
    ("member id XGH123456", "XGH123456", "INSURANCE_ID", "en"),
    ("my student id is 844803635", "844803635", "ID_OTHER", "en"),
    ("application (no. 63207/00)", "63207/00", "ID_OTHER", "en"),
    ("VIN 1HGCM82633A004352", "1HGCM82633A004352", "VEHICLE_ID", "en"),
    ("license plate 7ABC123", "7ABC123", "VEHICLE_ID", "en"),
    ("seen on March 13th, 2023?", "March 13th, 2023", "DATE_TIME", "en"),
    ("13 de julio de 1989", "13 de julio de 1989", "DATE_TIME", "es"),
    ("el trece de julio", "trece de julio", "DATE_TIME", "es"),
    ("on 2019-04-30 it", "2019-04-30", "DATE_TIME", "en"),
    ("dob 3/4/81", "3/4/81", "DATE_OF_BIRTH", "en"),
    ("born in 1925 and", "1925", "DATE_OF_BIRTH", "en"),
    ("昭和55年3月4日", "昭和55年3月4日", "DATE_TIME", "ja"),
    ("age 42, married", "42", "AGE", "en"),
    ("varón de 53 años de edad", "53 años", "AGE", "es"),
    ("i live at 92022 Smith Vista in", "92022 Smith Vista", "LOCATION", "en"),
    ("12 Oak Street, apt 4", "12 Oak Street, apt 4", "LOCATION", "en"),
    ("Domicilio: Calle Carmen Romero, 23, 1D.", "Calle Carmen Romero, 23, 1D", "LOCATION", "es"),
    ("vivo en calle luna 5", "calle luna 5", "LOCATION", "es"),
    ("vivo en Via Laietana 12, 3", "Via Laietana 12, 3", "LOCATION", "es"),
    ("郵便番号は100-0001です", "100-0001", "LOCATION", "ja"),
    ("パスポートはTK1234567です", "TK1234567", "ID_OTHER", "ja"),
    ("电话是13812345678吗", "13812345678", "ID_OTHER", "ja"),
    ("フライレ島に行きました", "フライレ島", "LOCATION", "ja"),
    ("鈴木さんに電話しました", "鈴木", "PERSON", "ja"),
    ("〒100-0001", "〒100-0001", "LOCATION", "ja"),
    ("my name is priya raman.", "priya raman", "PERSON", "en"),
    ("Mrs. Warren is absent", "Mrs. Warren", "PERSON", "en"),
    ("me llamo Lucía Peña", "Lucía Peña", "PERSON", "es"),
    ("ich heiße Jonas Weber", "Jonas Weber", "PERSON", "de"),
    ("it's J-O-N-E-S", "J-O-N-E-S", "PERSON", "en"),
    ("the password is pJ&8chikNFT9", "pJ&8chikNFT9", "PASSWORD", "en"),
    ("token ghp_abcdefghijklmnopqrst12", "ghp_abcdefghijklmnopqrst12", "PASSWORD", "en"),
    ("my pin is 4821", "4821", "PASSWORD", "en"),
]  # fmt: skip

ORDINARY = [
    "Good morning, see you tomorrow or on Monday.",
    "bp was 120/80 and 5 mg twice for two weeks",
    "version 2.14.0-rc.3 fixes bug #1182, page 38, section 4.2",
    "The slope is -2, x = 0.142857142857, 12V / 4Ω = 3A",
    "931 GB, 1400 rpm, $48.50, 15%, 9:30 to 11:15",
    "the password is wrong and my name is on the list",
    "ww2 ended in 1945; it may rain, march on",
    "call me at 5 or text me tomorrow",
    "my passport expired and my card was charged twice",
    "1,234,567 people and 3/4 is bigger than 2/3",
    "Buenos días, mañana a las 14 h, 600 mg cada 8 horas",
    "tengo 2 perros, soy alérgico, el tema 4 es para el jueves",
    "hi [PATIENT_1], born [DATE_1], call [PHONE_2] or mail [EMAIL_1]",
    "El ojo derecho tiene una AV de 0,1 y la AV con test era de 1",
    "Total Privacy via Encryption, posted via Usenet",
    "C3 12 mg/dl (70-170) y T3 42 ng/dL (60-180)",
    "店長さんとお医者さんが親切でした",
    "my name is [CUSTOMER_1] and my password is [PASSWORD_1]",
]


@pytest.mark.parametrize(("text", "value", "kind", "language"), FOUND)
def test_finds_the_value_whole_and_under_its_type(text: str, value: str, kind: str, language: str) -> None:
    spans = keep(text, scan(RECOGNIZERS, text, language))
    assert (value, kind) in {(text[span.start : span.end], span.entity_type) for span in spans}


@pytest.mark.parametrize("text", ORDINARY)
def test_lets_ordinary_text_alone(text: str) -> None:
    from seed_engine.policy import mask_markers

    masked = mask_markers(text)
    assert [span.recognizer for span in keep(masked, scan(RECOGNIZERS, masked, "en"))] == []


def test_every_file_of_the_folder_is_in_the_registry() -> None:
    from importlib import import_module

    folder = Path(recognizers.__file__).parent
    rooms = {path.stem for path in folder.glob("*.py")} - {"__init__", "pattern", "registry"}
    for room in rooms:
        patterns = import_module(f"seed_engine.recognizers.{room}").PATTERNS
        assert set(patterns) <= set(RECOGNIZERS), room


def test_names_are_unique_and_scores_are_probabilities() -> None:
    names = [pattern.name for pattern in RECOGNIZERS]
    assert len(names) == len(set(names))
    assert all(0 < pattern.score <= 1 for pattern in RECOGNIZERS)


@pytest.mark.parametrize(
    "bad", ["a" * 20_000, "1" * 20_000, "a-" * 10_000, "1 " * 10_000, "A B " * 5_000, "a.b@" * 5_000, "calle " * 4_000]
)
def test_cost_is_linear_on_text_made_to_backtrack(bad: str) -> None:
    # Four times the text; a quadratic pattern would take sixteen times as long.
    assert growth(lambda: scan(RECOGNIZERS, bad * 4, "es"), lambda: scan(RECOGNIZERS, bad, "es"), rounds=3) < 9


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("4111 1111 1111 1111", "4111 1111 1111 1112x"),
        ("DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 01"),
    ],
)
def test_check_digits_decide(right: str, wrong: str) -> None:
    certain = {span.recognizer for span in scan(RECOGNIZERS, right, "en") if span.score == 1.0}
    assert certain
    assert not certain & {span.recognizer for span in scan(RECOGNIZERS, wrong, "en")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Reggie 12A called", ""),
        ("Since 2019 1234 we have", ""),
        ("Singapore 123456", ""),
        ("Panel 55 1234", ""),
        ("MRN123456", "123456"),
        ("パスポートM1234567", "M1234567"),
        ("Reg AB12 CDE", "AB12 CDE"),
    ],
)
def test_a_cue_is_a_word_and_not_the_head_of_one(text: str, found: str) -> None:
    spans = Detector(DetectorConfig(engine="regex")).detect(text)
    assert "".join(text[span.start : span.end] for span in spans) == found
