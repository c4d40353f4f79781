"""Print how often the seed engine's rules are right: markers on the samples' gold; acts, objectives and topics on SGD.

Run `python scripts/measure_seeds.py [SGD_ACTS.jsonl | CONVERSATIONS.jsonl ...]`; of a file without labels it prints
what extraction costs beside detection. The samples were written together with the rules, so their
figure is an upper bound; the SGD acts are other people's labels.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

from seed_engine.acts import dialogue_act
from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.embedding import MiniLM
from seed_engine.extract import extract
from seed_engine.markers import parse_marker
from seed_engine.readers import read_conversations
from seed_engine.spans import EntitySpan

SAMPLES = Path(__file__).resolve().parent.parent / "samples"

# What each SGD act may be in ISO 24617-2. A turn carries several acts; one of theirs is right.
SGD_TO_ISO = {
    "REQUEST": {"setQuestion", "propositionalQuestion", "choiceQuestion"},
    "CONFIRM": {"checkQuestion", "propositionalQuestion"},
    "INFORM": {"inform", "answer"},
    "INFORM_COUNT": {"inform", "answer", "suggest"},
    "INFORM_INTENT": {"request", "inform"},
    "OFFER": {"suggest", "inform", "answer", "offer"},
    "OFFER_INTENT": {"offer", "propositionalQuestion"},
    "SELECT": {"acceptSuggest", "acceptOffer", "agreement", "autoPositive", "confirm"},
    "AFFIRM": {"confirm", "acceptOffer", "agreement", "acceptSuggest", "acceptRequest"},
    "AFFIRM_INTENT": {"acceptOffer", "confirm", "agreement", "acceptSuggest"},
    "NEGATE": {"disconfirm", "declineOffer", "correction", "disagreement", "declineSuggest"},
    "NEGATE_INTENT": {"declineOffer", "disconfirm", "disagreement", "declineSuggest"},
    "THANK_YOU": {"thanking"},
    "GOODBYE": {"initialGoodbye", "returnGoodbye", "acceptThanking"},
    "REQ_MORE": {"offer", "propositionalQuestion"},
    "NOTIFY_SUCCESS": {"inform", "promise", "answer", "acceptRequest", "confirm"},
    "NOTIFY_FAILURE": {"apology", "inform", "disconfirm", "declineRequest"},
    "REQUEST_ALTS": {"request", "propositionalQuestion", "setQuestion", "declineSuggest", "suggest"},
}


# What each SGD intent is for, in the objectives of the `general` profile; a conversation may be for any of its own.
SGD_OBJECTIVES = {
    "FindEvents": {"find_event", "buy_ticket"},
    "BuyEventTickets": {"buy_ticket"},
    "SearchHotel": {"find_place", "make_booking"},
    "ReserveHotel": {"make_booking"},
    "FindRestaurants": {"find_place", "make_booking"},
    "ReserveRestaurant": {"make_booking"},
    "FindApartment": {"find_place"},
    "FindAttractions": {"find_place"},
    "ScheduleVisit": {"make_booking"},
    "FindMovies": {"play_media"},
    "RentMovie": {"play_media"},
    "LookupSong": {"play_media"},
    "PlaySong": {"play_media"},
    "GetCarsAvailable": {"arrange_transport"},
    "ReserveCar": {"arrange_transport", "make_booking"},
    "CheckBalance": {"check_information"},
    "TransferMoney": {"transfer_money"},
    "GetWeather": {"check_information"},
    "GetRide": {"arrange_transport"},
    "BookAppointment": {"make_booking", "plan_schedule"},
    "FindProvider": {"find_place", "make_booking"},
    "SearchRoundtripFlights": {"buy_ticket"},
    "SearchOnewayFlight": {"buy_ticket"},
    "ReserveOnewayFlight": {"buy_ticket", "make_booking"},
    "ReserveRoundtripFlights": {"buy_ticket", "make_booking"},
    "FindBus": {"buy_ticket"},
    "BuyBusTicket": {"buy_ticket"},
    "GetTimesForMovie": {"play_media", "check_information", "find_event"},
    "PlayMovie": {"play_media"},
    "PlayMedia": {"play_media"},
    "LookupMusic": {"play_media"},
    "AddEvent": {"plan_schedule"},
    "GetEvents": {"plan_schedule"},
    "GetAvailableTime": {"plan_schedule"},
    "GetEventDates": {"find_event", "check_information", "buy_ticket"},
    "SearchHouse": {"find_place"},
    "BookHouse": {"make_booking"},
}
# What each SGD service is about, in the topics of the `general` profile.
SGD_TOPICS = {
    "Events": {"events"},
    "Banks": {"banking"},
    "Hotels": {"lodging"},
    "Homes": {"lodging"},
    "Movies": {"media"},
    "Media": {"media"},
    "Music": {"media"},
    "Restaurants": {"restaurant"},
    "RentalCars": {"transport"},
    "RideSharing": {"transport"},
    "Buses": {"transport", "travel"},
    "Trains": {"transport", "travel"},
    "Flights": {"travel"},
    "Travel": {"travel"},
    "Weather": {"weather"},
    "Calendar": {"calendar"},
    "Services": {"health", "home_services"},
}


def measure_markers() -> Counter[str]:
    """Counts over the samples' gold spans: people, of these right in role and in marker; things, right in marker."""
    counts: Counter[str] = Counter()
    for file in sorted(SAMPLES.glob("*.jsonl")):
        golds = [json.loads(line) for line in (SAMPLES / "gold" / file.name).read_text("utf-8").splitlines()]
        for conversation, gold in zip(read_conversations(file), golds, strict=True):
            spans = tuple(tuple(gold_span(span) for span in turn["spans"]) for turn in gold["turns"])
            marked = extract(conversation, spans, "seed-000001").abstraction.marked
            for turn, found in zip(gold["turns"], marked, strict=True):
                for wanted, got in zip(turn["spans"], found, strict=True):
                    what = "people" if wanted["entity_type"] == "PERSON" else "things"
                    counts[what] += 1
                    counts[f"{what}, role right"] += wanted["marker"].startswith(f"[{got.marker.kind}_")
                    # What a marker's note tells of a thing is no part of its identity.
                    counts[f"{what}, marker right"] += parse_marker(wanted["marker"]) == got.marker
    return counts


def gold_span(span: dict[str, Any]) -> EntitySpan:
    """A span of `samples/gold` without its marker."""
    return EntitySpan(span["start"], span["end"], span["entity_type"], span["score"], span["recognizer"])


def measure_acts(file: Path) -> tuple[int, int]:
    """Labelled turns whose act is one that the label allows, and all labelled turns."""
    right = total = 0
    for line in file.read_text("utf-8").splitlines():
        previous: str | None = None
        for i, turn in enumerate(json.loads(line)["turns"]):
            previous = dialogue_act(turn["text"], previous, first=i == 0)
            allowed = set().union(*(SGD_TO_ISO[label["act"]] for label in turn["acts"]))
            total += bool(allowed)
            right += previous in allowed
    return right, total


def measure_contents(file: Path) -> Counter[str]:
    """Counts over labelled conversations: objectives right by any intent and by the first, topics of turns right.

    A turn's topic is right when it is about one of the conversation's services; contact details and leave-taking, which
    SGD does not label, are left out.
    """
    counts: Counter[str] = Counter()
    for line in file.read_text("utf-8").splitlines():
        record = json.loads(line)
        turns = tuple(Turn(role=turn["role"], text=turn["text"]) for turn in record["turns"])
        conversation = Conversation(id="c", turns=turns, language="en", domain="general")
        seed = extract(conversation, tuple(() for _ in turns), "seed-000001").seed
        assert seed is not None
        counts["conversations"] += 1
        allowed = [SGD_OBJECTIVES[intent] for intent in record["intents"] if intent in SGD_OBJECTIVES]
        counts["objective right"] += seed.objective in set().union(*allowed)
        counts["objective of the first intent"] += bool(allowed) and seed.objective in allowed[0]
        topics = set().union(*(SGD_TOPICS.get(name.split("_")[0], set()) for name in record["domain"]))
        for step in seed.flow:
            if step.topic not in ("closing", "contact_details", "small_talk"):
                counts["topics"] += 1
                counts["topic right"] += step.topic in topics
    return counts


def measure_cost(file: Path, most: int = 500) -> tuple[float, float]:
    """Processor seconds of detection and of extraction over the first conversations; loading the embedding counts."""
    conversations = list(islice(read_conversations(file), most))
    detector, embed = Detector(DetectorConfig()), MiniLM()
    list(detector.detect_conversations(conversations[:2]))
    extract(conversations[0], tuple(() for _ in conversations[0].turns), "seed-000001", embed)
    start = process_time()
    found = list(detector.detect_conversations(conversations))
    middle = process_time()
    for conversation, spans in zip(conversations, found, strict=True):
        extract(conversation, spans, "seed-000001", embed)
    return middle - start, process_time() - middle


if __name__ == "__main__":
    print(dict(measure_markers()))
    for argument in map(Path, sys.argv[1:]):
        if "acts" not in argument.name:
            detection, extraction = measure_cost(argument)
            print(f"{argument}: extraction costs {extraction / detection:.2f} of detection again")
            continue
        right, total = measure_acts(argument)
        print(f"{argument}: {right} of {total} acts right, {right / total:.3f}")
        counts = measure_contents(argument)
        print(dict(counts))
        for part, whole in (("objective right", "conversations"), ("topic right", "topics")):
            print(f"{part}: {counts[part] / counts[whole]:.3f}")
