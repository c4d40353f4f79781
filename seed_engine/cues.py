"""Evidence for a person's role: what stands around a name, who says it, and to whom."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from seed_engine.names import fold

# Weights: a name given by its owner decides; a title or kinship nearly so; an address by name can be overruled.
SELF, TITLE, KIN, OWNER, VOCATIVE, HINT = 5, 3, 3, 3, 2, 1

_BEFORE, _AFTER = 64, 32

_TITLE = r"(?:(?:mr|mrs|ms|miss|mx|dr|dra|doctor|doctora|nurse|prof|professor|profesora?|don|dona|senora?|srta?|sra)\b\.?\s*)?"
_CHILD = r"daughter|son|kid|child|boy|girl|baby|little one|toddler|hij[oa]|nin[oa]|bebe|pequen[oa]|chic[oa]|grandson|granddaughter|niet[oa]"
_PARENT = r"mum|mom|mommy|dad|daddy|mother|father|mama|papa|madre|padre|guardian"
_OTHER_KIN = (
    r"wife|husband|spouse|partner|boyfriend|girlfriend|fiancee?|brother|sister|sibling|twin|"
    r"cousin|aunt|uncle|niece|nephew|"
    r"grandmother|grandfather|grandma|grandpa|granny|nan|roommate|flatmate|neighbou?r|friend|emergency contact|in-law|"
    r"espos[oa]|marido|mujer|pareja|novi[oa]|herman[oa]|prim[oa]|ti[oa]|sobrin[oa]|abuel[oa]|"
    r"cunad[oa]|suegr[oa]|vecin[oa]|amig[oa]|"
    r"contacto de emergencia"
)
_KIN_GAP = (
    r"(?:['’]?s? (?:full )?name is|['’]s|is called| called| is| named|,|:|\(|-|se llama|llamad[oa]|de nombre|\s)*\s*"
)
_KIN_BEFORE = re.compile(
    rf"\b(?:my|our|his|her|their|your|the|mis?|sus?|tus?|nuestr[oa]|el|"
    rf"la)\s+(?:[\w-]+\s+){{0,2}}?(?:(?P<child>{_CHILD})|(?P<parent>{_PARENT})"
    rf"|(?P<other>{_OTHER_KIN}))\s*{_KIN_GAP}{_TITLE}$"
)
_KIN_AFTER = re.compile(
    rf"^,?\s*\(?(?:(?:is|es|who is|he is|she is|que es)\s+)?(?:my|our|his|her|mi|su|tu)\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?:(?P<child>{_CHILD})|(?P<parent>{_PARENT})|(?P<other>{_OTHER_KIN}))\b"
)
_SELF_BEFORE = re.compile(
    r"(?:\b(?:my (?:full |first |last |legal )?name(?:['’]?s| is)?|name['’]?s|name(?= ?:)|i am|"
    r"i['’]?m|this is|it['’]?s|call me|"
    r"(?:speaking|chatting|talking) (?:with|to)|signed|regards|sincerely|cheers|me llamo|"
    r"(?:mi )?nombre(?: completo)?(?: es)?|soy|"
    rf"le (?:habla|atiende|saluda)|habla|aqui|saludos|atentamente|un saludo))\s*[,:.]?\s*(?:\n\s*)?{_TITLE}$"
)
_SELF_AFTER = re.compile(r"^\s*,?\s*(?:here\b|speaking\b|al habla|por aqui|from (?:the )?(?:support|billing|customer))")
_GREETED = re.compile(
    r"(?:^|[.!?,\n]\s*)(?:(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|morning|"
    r"hola|buen(?:os|as)? ?(?:dias|tardes|noches|dia)?|"
    r"estimad[oa]|welcome(?: back)?|bienvenid[oa]|thanks?(?: you)?(?: so much| a lot| very much|"
    r" again| for [\w ]{1,30})?|(?:muchas |mil )?gracias|"
    r"nice to meet you|good to see you|bye|goodbye|adios|hasta luego|take care|cuidese|sorry|"
    r"lo siento|ok(?:ay)?|alright|all right|perfect|"
    r"great|sure|yes|no|well|right|of course|exactly|good (?:job|work|question)|nice(?: work|"
    r" one)?|well done|awesome|excellent|"
    r"muy bien|bien|perfecto|claro|vale|si|exacto|excelente|genial|de nada|you['’]re welcome|"
    r"no problem|no worries|got it|"
    rf"understood|entiendo|entendido|there|again))\s*[,!.]?\s*{_TITLE}$"
)
_CLOSED = re.compile(r"^\s*(?:[,.!?;:)\n—-]|$)")
_COMMA_NAME_END = re.compile(rf",\s*{_TITLE}$")
_SENTENCE_END = re.compile(r"^\s*(?:[.!?]|$)")
_SENTENCE_START = re.compile(rf"(?:^|[.!?]\s+|\n\s*){_TITLE}$")
_ADDRESS_GOES_ON = re.compile(
    r"^\s*(?:,|[?!] )|^\s+(?:how|what|why|can|could|would|did|do|you|let|please|que|como|puede|podria|cual)\b"
)
_NAME_ASKED = re.compile(
    r"\bname\b|who am i (?:speaking|talking|chatting)|who(?:'s| is) (?:this|calling)|\bnombre\b|"
    r"con quien (?:hablo|tengo)|como (?:te|se) llama|"
    r"your details|sus datos|identify yourself"
)
_OWNER = re.compile(
    r"\b(?:account|record|file|chart|booking|order|appointment|reservation|profile|policy|"
    r"name on|patient|holder|registered|cuenta|expediente|"
    r"historia|cita|pedido|titular|reserva|poliza)\b[^.?!]{0,24}?\b(?:for|of|under|to|is|as|"
    r"nombre de|de|para|es)\s+(?:the name (?:of )?)?"
    rf"{_TITLE}$|\b(?:i have you as|see you['’]re|you['’]re|you are|usted es|es usted|"
    rf"am i (?:speaking|talking) (?:with|to)|hablo con|is this)\s+{_TITLE}$"
)
_NOUNS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, domain, re.compile(rf"(?:^|\b)(?:{words})\.?\s*[,:]?\s*$"))
    for kind, domain, words in (
        (
            "DOCTOR",
            "",
            r"dr|dra|doctor|doctora|doc|physician|surgeon|cardiologist|dermatologist|neurologist|"
            r"oncologist|gp|specialist|"
            r"pediatrician|medic[oa]|cardiolog[oa]|pediatra|dermatolog[oa]|cirujan[oa]|especialista",
        ),
        ("NURSE", "", r"nurse|enfermer[oa]|receptionist|recepcionista"),
        ("PATIENT", "medical", r"patient|paciente"),
        ("STUDENT", "tutoring", r"student|pupil|classmate|alumn[oa]|estudiante|companer[oa]"),
        ("TUTOR", "tutoring", r"mr|mrs|ms|miss|prof|professor|profesora?|profe|teacher|tutora?|maestr[oa]|coach"),
        (
            "AGENT",
            "support",
            r"agent|representative|rep|technician|advisor|adviser|colleague|manager|supervisor|engineer|"
            r"courier|driver|agente|"
            r"tecnic[oa]|asesora?|companer[oa]|supervisora?|repartidor",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Scene:
    """Who speaks, to whom, after what.

    Attributes:
        domain: the domain profile's name.
        speaker: the speaker's role.
        addressee: the role spoken to.
        asker: the domain's first role, whose account or record it is.
        before: the previous turn's text, when somebody else said it; else "".
    """

    domain: str
    speaker: str
    addressee: str
    asker: str
    before: str


def role_votes(text: str, start: int, end: int, scene: Scene) -> Counter[str]:
    """Votes for marker kinds of the person named at `[start, end)`; empty when nothing speaks for a role."""
    before = fold(text[max(0, start - _BEFORE) : start])
    after = fold(text[end : end + _AFTER])
    surface = fold(text[start:end])
    votes: Counter[str] = Counter()
    votes += _noun_votes(before, surface, scene)
    kin = _KIN_BEFORE.search(before) or _KIN_AFTER.match(after)
    if kin is not None:
        votes[_kin_kind(kin, scene)] += KIN
        return votes
    if _SELF_AFTER.match(after) or _SELF_BEFORE.search(before):
        votes[scene.speaker.upper()] += SELF
    elif _OWNER.search(before):
        votes[scene.asker.upper()] += OWNER
    elif _GREETED.search(before) and (_CLOSED.match(after) or _ADDRESS_GOES_ON.match(after) or len(before) < 12):
        votes[scene.addressee.upper()] += VOCATIVE
    elif start < 48 and _NAME_ASKED.search(fold(scene.before[-240:])):
        votes += _asked_votes(scene)
    elif _COMMA_NAME_END.search(before) and _SENTENCE_END.match(after):
        votes[scene.addressee.upper()] += VOCATIVE
    elif _SENTENCE_START.search(before) and _ADDRESS_GOES_ON.match(after):
        votes[scene.addressee.upper()] += HINT
    return votes


def _noun_votes(before: str, surface: str, scene: Scene) -> Counter[str]:
    votes: Counter[str] = Counter()
    title = surface.split()[0] if " " in surface else ""
    for kind, domain, pattern in _NOUNS:
        if domain in ("", scene.domain) and (pattern.search(before) or (title and pattern.fullmatch(title))):
            votes[kind] += TITLE if domain or scene.domain == "medical" else VOCATIVE
    return votes


def _asked_votes(scene: Scene) -> Counter[str]:
    """A name given as the answer to "your name?" is the speaker's, unless a relative's was asked for."""
    asked = re.search(
        rf"(?:(?P<child>{_CHILD})|(?P<parent>{_PARENT})|(?P<other>{_OTHER_KIN}))\b", fold(scene.before[-120:])
    )
    if asked is not None:
        return Counter({_kin_kind(asked, scene): KIN})
    return Counter({scene.speaker.upper(): SELF})


def _kin_kind(kin: re.Match[str], scene: Scene) -> str:
    """A relative's marker kind: who is treated or taught keeps that role when a relative speaks."""
    sides = {scene.speaker, scene.addressee}
    if scene.domain == "tutoring":
        if kin["child"] and "parent" in sides:
            return "STUDENT"
        if kin["parent"] and "student" in sides:
            return "PARENT"
    if scene.domain == "medical" and "relative" in sides and "patient" not in sides:
        return "PATIENT"
    return "RELATIVE"
