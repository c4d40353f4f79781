"""Documents of the HybridPII paper's setting: business e-mails, medical records, financial and legal papers.

The paper's documents are not published; these follow its description: Faker values in frames of four domains, with
their gold spans. The frames are this project's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from seed_engine.scoring import GoldSpan

if TYPE_CHECKING:
    from faker import Faker

DOMAINS = ("business", "medical", "financial", "legal")

_FRAMES = {
    "business": (
        "From: {name} <{email}>\nTo: {email}\nDate: {date}\n\nDear {name},",
        "Following our call, please reach me at {phone} or {email}.",
        "Our office at {address} will host the meeting on {date}.",
        "{name} from {company} confirmed the order of 40 units.",
        "The quarterly figures look better than expected, well done.",
        "The shared drive is at {url} and the server answers on {ip}.",
        "Best regards,\n{name}\n{company}\n{phone}",
    ),
    "medical": (
        "Patient: {name}\nDOB: {date}\nMRN: {mrn}",
        "Address: {address}\nPhone: {phone}",
        "{name} presented on {date} with chest pain and shortness of breath.",
        "Blood pressure was 142/91, heart rate 88, temperature 37.2.",
        "Insurance member id {insurance}. SSN {ssn}.",
        "Started lisinopril 10 mg daily; follow-up in two weeks.",
        "Attending physician: Dr. {name}, {email}",
    ),
    "financial": (
        "Account holder: {name}\nAccount number: {account}\nIBAN: {iban}",
        "Card {card} was charged 214.90 on {date}.",
        "SSN {ssn} is on file for {name}.",
        "Statements are sent to {address}.",
        "Interest is calculated daily at 3.2% and paid monthly.",
        "Questions: {email} or {phone}.",
        "Wire transfer authorised by {name} of {company} on {date}.",
    ),
    "legal": (
        "This agreement is made on {date} between {name} and {company}.",
        "{name}, residing at {address}, is referred to as the Tenant.",
        "Passport number {passport}, issued on {date}.",
        "The parties agree that this contract is governed by state law.",
        "Notices go to {email} with a copy to {name}.",
        "Any dispute is settled by arbitration within 30 days.",
        "Signed by {name} on {date}, telephone {phone}.",
    ),
}
_TYPES = {
    "name": "PERSON",
    "email": "EMAIL_ADDRESS",
    "date": "DATE_TIME",
    "phone": "PHONE_NUMBER",
    "address": "LOCATION",
    "company": "ORGANIZATION",
    "url": "URL",
    "ip": "IP_ADDRESS",
    "mrn": "MEDICAL_RECORD",
    "insurance": "INSURANCE_ID",
    "ssn": "US_SSN",
    "account": "BANK_ACCOUNT",
    "iban": "IBAN_CODE",
    "card": "CREDIT_CARD",
    "passport": "PASSPORT",
}
_SLOT = re.compile(r"\{(\w+)\}")


def paper_documents(count: int, seed: int) -> list[tuple[str, str, tuple[GoldSpan, ...]]]:
    """Make documents, the domains in turn.

    Args:
        count: how many, >= 0; the paper makes 100 and measures 30.
        seed: the same seed makes the same documents.

    Returns:
        Domain, text and gold spans of each.
    """
    from faker import Faker

    rng, faker = random.Random(seed), Faker("en_US")
    faker.seed_instance(seed)
    return [(domain, *_document(_FRAMES[domain], rng, faker)) for domain in (DOMAINS[i % 4] for i in range(count))]


def _document(frames: tuple[str, ...], rng: random.Random, faker: Faker) -> tuple[str, tuple[GoldSpan, ...]]:
    text, gold = "", []
    for frame in (frames[0], *rng.sample(frames[1:], 5)):
        done = 0
        for match in _SLOT.finditer(frame):
            text += frame[done : match.start()]
            value = _value(match[1], rng, faker)
            gold.append(GoldSpan(len(text), len(text) + len(value), _TYPES[match[1]]))
            text += value
            done = match.end()
        text += frame[done:] + "\n"
    return text, tuple(gold)


def _value(slot: str, rng: random.Random, faker: Faker) -> str:
    makers: dict[str, Callable[[], str]] = {
        "name": faker.name,
        "email": faker.email,
        "date": lambda: faker.date(rng.choice(("%B %d, %Y", "%m/%d/%Y", "%Y-%m-%d"))),
        "phone": faker.phone_number,
        "address": lambda: faker.address().replace("\n", ", "),
        "company": faker.company,
        "url": faker.url,
        "ip": faker.ipv4,
        "mrn": lambda: faker.bothify("########"),
        "insurance": lambda: faker.bothify("???#########").upper(),
        "ssn": faker.ssn,
        "account": lambda: faker.bothify("##########"),
        "iban": faker.iban,
        "card": faker.credit_card_number,
        "passport": lambda: faker.bothify("?########").upper(),
    }
    return makers[slot]()
