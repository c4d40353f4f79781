"""Addresses of the net: e-mail, links, hosts, IP and MAC addresses, user handles."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import ipaddress
import re

from seed_engine.recognizers.pattern import Pattern, ignoring_case

_TLD = r"""(?:com|org|net|edu|gov|mil|int|info|biz|io|ai|app|dev|co|me|us|uk|es|mx|ar|cl|pe|fr|de|nl|jp|it|pt|br|in|au|ca|ch|at|be
    |se|no|dk|fi|ie|pl|cz|ru|cn|eu|gl|ly|fm|tv|cat|gob|online|site|store|shop|club|xyz|health|clinic|name)"""


def _is_ip(value: str) -> bool:
    try:
        ipaddress.ip_address(value.split("%")[0])
    except ValueError:
        return False
    return len(value) > 4


PATTERNS = (
    Pattern(
        "email",
        "EMAIL_ADDRESS",
        re.compile(r"[^\W_][\w.+%'&-]{0,63}(?<![.'])@[\w](?:[\w-]{0,62}[\w])?(?:\.[\w-]{1,63}){0,5}\.[^\W\d_]{2,18}\b"),
        1.0,
        needs="@",
    ),
    Pattern(
        "email_spoken",
        "EMAIL_ADDRESS",
        ignoring_case(
            r"""\b[a-z0-9][\w+-]{0,40}(?:(?:[ ]dot[ ]|[ ]punto[ ]|\.|[ ]underscore[ ]|[ ]guion[ ]bajo[ ])[\w+-]{1,40}){0,4}
            (?:(?:[ ]at[ ]|[ ]arroba[ ])[\w-]{2,40}(?:(?:[ ]dot[ ]|[ ]punto[ ])[\w-]{2,20}){1,3}
            |(?:[ ]?\(at\)[ ]?|[ ]?\[at\][ ]?|[ ]@[ ])[\w-]{2,40}(?:(?:[ ]dot[ ]|[ ]?\(dot\)[ ]?|[ ]?\[dot\][ ]?|\.)[\w-]{2,20}){1,3})\b"""
        ),
        0.9,
    ),
    Pattern(
        "url",
        "URL",
        re.compile(r"\b(?:https?|ftp|sftp)://[^\s<>\"'()\[\]{}]{2,400}(?<![.,;:!?])", re.IGNORECASE),
        1.0,
        needs="://",
    ),
    Pattern(
        "url_www", "URL", re.compile(r"\bwww\.[^\s<>\"'()\[\]{}]{3,300}(?<![.,;:!?])", re.IGNORECASE), 1.0, needs="."
    ),
    Pattern(
        "domain",
        "URL",
        ignoring_case(
            rf"""(?<![\w@./-])[a-z0-9](?:[a-z0-9-]{{0,40}}[a-z0-9])?(?:\.[a-z0-9-]{{1,40}}){{0,3}}\.{_TLD}(?:/[^\s<>"'()]{{0,200}}
            (?<![.,;:!?]))?(?![\w@-]|\.\w)"""
        ),
        0.8,
        needs=".",
    ),
    Pattern(
        "ipv4",
        "IP_ADDRESS",
        re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?![\w]|\.\d)"),
        0.95,
        lambda value: _is_ip(value.split("/")[0]),
        "digit",
    ),
    Pattern(
        "ipv6",
        "IP_ADDRESS",
        re.compile(r"(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w{1,10})?(?![\w:])", re.IGNORECASE),
        0.95,
        lambda value: _is_ip(value) and value.count(":") > 2,
        ":",
    ),
    Pattern(
        "mac",
        "MAC_ADDRESS",
        re.compile(r"(?<![\w:-])(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?![\w:-])", re.IGNORECASE),
        0.95,
    ),
    Pattern("handle", "USERNAME", re.compile(r"(?<![\w@./+-])@[A-Za-z_][\w.]{1,38}\w(?!@)"), 0.9, needs="@"),
    Pattern(
        "cued_username",
        "USERNAME",
        ignoring_case(
            r"""\b(?:user[ ]?name|user[ ]?id|userid|login|screen[ ]name|handle|nick(?:name)?|account[ ]name|usuario|usuaria|nombre[ ]de[ ]usuario)
            (?:[ ](?:is|es|was|to|as))?\s?[:=]?\s{0,2}["'`]?(?P<v>(?=[\w.@-]{0,40}(?:[\d_]|\.\w))[a-z][\w.@-]{2,39}(?<![.@-]))"""
        ),
        0.85,
    ),
)
