"""Streets, postcodes and places that a cue or an address form gives away."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

from seed_engine.recognizers.pattern import Pattern, ignoring_case

_STREET_EN = (
    r"(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|sq|terrace|way|highway|hwy|parkway|pkwy|circle|cir|trail|plaza"
    r"|crescent|close|gardens|grove|row|mews|marg|nagar|strasse|straße|str|gatan|vägen|straat|laan|weg)"
)
_UNIT = r"(?:,?\s(?:apt|apartment|suite|ste|unit|flat|floor|fl|room|\#)\.?\s?\w{1,6})?"
_WORD = r"[\w'’.-]{1,25}"
_STATE = r"(?:AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|AE|AP)"
_VIA_ES = r"(?:calle|c/|avda?\.?|avenida|av\.?|paseo|p[ºo]\.?|plaza|pza\.?|pl\.|camino|carretera|ctra\.?|ronda|traves[ií]a|urb(?:anizaci[oó]n|\.)|glorieta|callej[oó]n|pasaje|bulevar|rambla|via|vía|cuesta|colonia)"
_NAME_ES = r"(?:(?:de|del|la|las|los|el|y|d'|san|santa)[ ]|[A-ZÁÉÍÓÚÑ][\w'’.-]{1,24}[ ]?){1,7}"

PATTERNS = (
    Pattern("street_en", "LOCATION", ignoring_case(rf"(?<![\w.,$-])\d{{1,6}}[a-z]?,?[ ](?:{_WORD}[ ]){{1,4}}?{_STREET_EN}\b\.?(?![ ](?:of|ago))(?:[ ][NSEW]{{1,2}}\b)?{_UNIT}"), 0.75, lambda v: _is_street(v), "digit"),
    Pattern("po_box", "LOCATION", ignoring_case(r"\bp\.?[ ]?o\.?[ ]?box[ ]\d{1,7}\b|\bapartado(?:[ ]de[ ]correos)?[ ]\d{1,7}\b"), 0.95, None, "digit"),
    Pattern("zip_state", "LOCATION", re.compile(rf"\b(?P<v>(?<!patient )(?<!student )(?<!case ){_STATE},? \d{{5}}(?:-\d{{4}})?)\b"), 0.8, None, "digit"),
    Pattern(
        "postcode_cued",
        "LOCATION",
        ignoring_case(r"\b(?:zip(?:s|[ ]?codes?)?|post(?:al)?[ ]?code|c\.?p\.?|c[oó]digo[ ]postal|plz|code[ ]postal|postcode)(?:[ ](?:is|es|and))?[ .:#]{0,3}(?P<v>\d{5}(?:-\d{4})?|(?-i:\d{4}[ ]?[A-Z]{2})|[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}|[A-Z]\d[A-Z][ ]?\d[A-Z]\d|\d{6})(?![\w-])"),
        0.9,
        None,
        "digit",
    ),
    Pattern("postcode_uk", "LOCATION", re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b|\b[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d\b"), 0.8, None, "digit"),
    Pattern("street_es", "LOCATION", re.compile(rf"(?<!\w)(?i:{_VIA_ES}) ?{_NAME_ES}(?:,? ?(?:(?i:n[ºo°]?\.?|núm\.?|número) ?)?\d{{1,4}}(?:[ ,-]{{1,2}}(?:\d{{1,2}}[ºª°]?[ -]?[A-Za-z]?\b|(?i:bajo|izq|dcha|esc|piso|puerta)\w*\.?)){{0,3}})?"), 0.75, lambda v: _is_street_es(v)),
    Pattern("street_es_lower", "LOCATION", ignoring_case(rf"(?<!\w)(?!v[ií]a[ ]){_VIA_ES}[ ](?:[\w'’.-]{{2,20}}[ ]){{1,6}}?(?:n[ºo°]?\.?[ ]?|núm\.?[ ]?)?\d{{1,4}}(?:[ ,]{{1,2}}\d{{1,2}}[ºª°]?[ ]?[a-d]?\b)?(?!\w|[ ]?(?:mg|ml|h\b|%|euros))"), 0.7, lambda v: not v.startswith("AV "), "digit"),
    Pattern("street_unnumbered_es", "LOCATION", re.compile(rf"(?<!\w){_NAME_ES}, ?s/n\b"), 0.8, None, "s/n"),
    Pattern("postcode_city_es", "LOCATION", re.compile(r"(?<![\w.,/-])(?P<v>(?:0[1-9]|[1-4]\d|5[0-2])\d{3},? (?:[A-ZÁÉÍÓÚÑ][\w'’-]{2,24})(?:(?: de| del| la| los| las)? [A-ZÁÉÍÓÚÑ][\w'’-]{1,20}){0,3})"), 0.8, None, "digit", frozenset({"es"})),
    Pattern("place_labelled", "LOCATION", re.compile(r"(?:^|\n|[|;>*] ?|\. )(?:[*_]{0,2})(?i:(?:general )?location|city|town|address|localidad(?:/ ?provincia)?|provincia|ciudad|poblaci[oó]n|domicilio|direcci[oó]n|pa[ií]s)(?:[*_]{0,2}): {0,3}(?P<v>[^\n|;:]{2,60}?)(?= ?(?:\n|\||;|\.\s|\.?$|\s{2}|, [A-Z]\w+:))"), 0.85, None, ":"),
    Pattern("address_cued", "LOCATION", ignoring_case(rf"\b(?:(?:i|we)[ ]live[ ](?:at|on)|ship(?:[ ]it)?[ ]to|address(?:[ ]is|:)|deliver[ ]to|vivo[ ]en|direcci[oó]n(?:[ ]es|:))[ ]{{1,2}}(?P<v>\d{{1,6}}[a-z]?(?:[ ]{_WORD}){{1,4}}?)(?=[ ](?:in|and|but|so|apt)\b|[,.;!?\n]|$)"), 0.8, None, "digit"),
    Pattern("prefecture_ja", "LOCATION", re.compile(r"(?:東京都|北海道|(?:京都|大阪)府|[一-龥]{2,3}県)(?:[一-龥ぁ-んァ-ヶ]{1,6}[市区町村郡]){0,3}(?:[一-龥]{1,6}\d{1,3}(?:丁目|番地?|号|-\d{1,3}){0,4})?"), 0.85, None, None, frozenset({"ja"})),
    Pattern("katakana_place_ja", "LOCATION", re.compile(r"[ァ-ヶー]{2,15}(?:諸島|半島|環礁|空港|海岸|高原|[島市州町村川山湖駅湾港])(?![一-龥])"), 0.75, None, None, frozenset({"ja"})),
    Pattern("postcode_ja", "LOCATION", re.compile(r"(?P<p>〒\s?\d{3}-?\d{4})|郵便番号[はが:： 　]{0,3}(?P<v>\d{3}-?\d{4})(?!\d)"), 0.95, None, "digit"),
)  # fmt: skip


def _is_street_es(value: str) -> bool:
    """Whether a kind of street is followed by a name: "AV de 0,1" is an eye's acuity, "via Encryption" is English."""
    named = any(word[:1].isupper() for word in value.split()[1:])
    return len(value) > 7 and named and (value[:3].lower() != "via" or any(map(str.isdigit, value)))


def _is_street(value: str) -> bool:
    # "5 minutes way" is no street: in running lower case a number is often a quantity.
    return (
        re.search(
            r"\b(?:minutes?|hours?|days?|weeks?|months?|years?|mg|ml|miles|km|times|percent|dollars|of|the|in|is|a|and)\b",
            value,
            re.I,
        )
        is None
    )
