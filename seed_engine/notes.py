"""What a marker may tell about its thing: a date's distance from the first, an age's band, a place's kind.

All of it is coarse: distances grow coarser the longer they are, and what cannot be read gets no note.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from seed_engine.fold import fold
from seed_engine.markers import Marker
from seed_engine.vocabulary import band, vocabulary

_DATE_KEY = re.compile(r"(\d{1,4})-(\d{1,2})-(\d{1,2})")
# Greatest distance told in days, in weeks, in months (23 of them); beyond that in years, from ten on in tens.
_DAYS, _WEEKS, _MONTHS = 13, 59, 710
# A year in which every day can stand, for dates said without one.
_LEAP_YEAR = 2000
_OLDEST = 120
# Of a longer number the first ones are too many, too.
_DIGITS = 6
_NUMBER = re.compile(r"[0-9]+")
_UNIT = re.compile(
    r"[\s-]*(?:(?P<months>(?:months?|mes(?:es)?)\b|[かカヵヶケ箇]?月)|(?P<weeks>(?:weeks?|semanas?)\b|週)|(?P<days>(?:days?|dias?)\b|日))"
)
_A_YEAR = {"months": 12, "weeks": 52, "days": 365}
_STREET = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd|court|ct|square|close|terrace|calle|c|avda|avenida|"
    r"plaza|paseo|camino|carretera|calzada|colonia|pasaje)\b"
)
_FACILITY = re.compile(
    r"\b(?:hospital|clinic|clinica|surgery|practice|centre|center|centro|school|college|university|academy|colegio|"
    r"escuela|instituto|universidad|academia|church|iglesia|airport|aeropuerto|station|estacion|hotel|pharmacy|farmacia|"
    r"bank|banco|court|juzgado|library|biblioteca|residencia|ambulatorio|taller|garage|showroom)\b"
)
_POSTCODE = re.compile(r"\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d")
_COUNTRIES = """
spain|espana|mexico|argentina|chile|colombia|peru|uruguay|venezuela|ecuador|bolivia|cuba|guatemala|honduras|panama|
costa rica|nicaragua|paraguay|el salvador|dominican republic|republica dominicana|puerto rico|portugal|france|francia|
italy|italia|germany|alemania|ireland|irlanda|england|inglaterra|scotland|escocia|wales|gales|united kingdom|uk|
reino unido|united states|usa|us|estados unidos|canada|australia|new zealand|india|china|japan|japon|brazil|brasil|
morocco|marruecos|poland|polonia|ukraine|ucrania|russia|rusia|romania|rumania|netherlands|belgium|belgica|switzerland|
suiza|austria|sweden|suecia|norway|noruega|denmark|dinamarca|finland|greece|grecia|turkey|turquia|egypt|egipto|nigeria|
kenya|south africa|philippines|filipinas|vietnam|pakistan|iran|iraq|syria|siria|israel
"""
_REGIONS = """
alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|
iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|
nevada|new hampshire|new jersey|new mexico|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|
south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington state|west virginia|wisconsin|wyoming|
andalucia|andalusia|aragon|asturias|baleares|canarias|cantabria|castilla|castilla y leon|castilla la mancha|cataluna|
catalonia|extremadura|galicia|la rioja|navarra|pais vasco|basque country|murcia|valencia|jalisco|yucatan|chiapas|oaxaca|
sonora|nuevo leon|ontario|quebec|yorkshire|kent|essex|cornwall|devon|surrey|sussex
"""


def date_notes(dates: list[tuple[Marker, str]]) -> dict[Marker, Marker]:
    """Date markers with their distance from the first date that can be read.

    Args:
        dates: each date's marker and `seed_engine.dates.date_key`, in order of first mention.

    Returns:
        The markers that got a note, by themselves; dates of which a part is unknown get none.
    """
    first: tuple[Marker, date, bool] | None = None
    noted: dict[Marker, Marker] = {}
    for marker, key in dates:
        day = _day(key)
        if day is None:
            continue
        with_year = not key.startswith("0-")
        if first is None:
            first = (marker, day, with_year)
            continue
        note = _distance((day - first[1]).days) if with_year == first[2] else ""
        if note:
            noted[marker] = Marker(marker.kind, marker.number, note=f"{first[0].kind}_{first[0].number} {note}")
    return noted


def age_note(surface: str) -> str:
    """The vocabulary's band of an age, in years unless it says otherwise (`47` → `45-64`, `48 months` → `3-12`).

    Empty when it cannot be read.
    """
    told = _NUMBER.search(surface)
    if told is None:
        return vocabulary().age_bands[0] if _UNIT.search(fold(surface)) else ""
    unit = _UNIT.match(fold(surface[told.end() :]))
    # `12/34` is no age.
    if any(char.isdigit() for char in surface[told.end() :].split(" ")[0]):
        return ""
    years = int(told[0][:_DIGITS]) // (_A_YEAR[unit.lastgroup or ""] if unit else 1)
    return band(years, vocabulary().age_bands) if years < _OLDEST else ""


def place_note(surface: str, entity_type: str) -> str:
    """One of `seed_engine.markers.PLACE_KINDS`."""
    folded = fold(surface).strip(" .,")
    if entity_type in ("FACILITY", "ADDRESS"):
        return entity_type.lower()
    if _POSTCODE.fullmatch(folded):
        return "postcode"
    if _FACILITY.search(folded):
        return "facility"
    if any(char.isdigit() for char in folded) or _STREET.search(folded):
        return "address"
    return "country" if folded in _countries() else "region" if folded in _regions() else "city"


def _day(key: str) -> date | None:
    match = _DATE_KEY.fullmatch(key)
    if match is None:
        return None
    year, month, day = (int(part) for part in match.groups())
    try:
        return date(year or _LEAP_YEAR, month, day)
    except ValueError:
        return None


def _distance(days: int) -> str:
    sign, days = ("-" if days < 0 else "+"), abs(days)
    if days == 0:
        return ""
    if days <= _DAYS:
        return f"{sign} {days} day{'s' if days > 1 else ''}"
    if days <= _WEEKS:
        return f"{sign} {round(days / 7)} weeks"
    if days <= _MONTHS:
        return f"{sign} {round(days / 30.44)} months"
    years = round(days / 365.25)
    if years >= 10:
        years = min(90, round(years, -1))
    return f"{sign} {years} years"


@cache
def _countries() -> frozenset[str]:
    return frozenset(_COUNTRIES.replace("\n", "").split("|"))


@cache
def _regions() -> frozenset[str]:
    return frozenset(_REGIONS.replace("\n", "").split("|"))
