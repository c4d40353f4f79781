"""Patterns around a person's name, in English and Spanish, over case-folded text without accents.

Those that end in `$` are searched in the text before the name, those that start with `^` are matched after it.
"""

from __future__ import annotations

import re

TITLE = (
    r"(?:(?:mr|mrs|ms|miss|mx|dr|dra|doctor|doctora|nurse|prof|professor|profesora?|"
    r"don|dona|senora?|srta?|sra)\b\.?\s*)?"
)
CHILD = (
    r"daughter|son|kid|child|boy|girl|baby|little one|toddler|grandson|granddaughter|"
    r"hij[oa]|nin[oa]|bebe|pequen[oa]|chic[oa]|niet[oa]"
)
PARENT = r"mum|mom|mommy|dad|daddy|mother|father|mama|papa|madre|padre|guardian"
OTHER_KIN = (
    r"wife|husband|spouse|partner|boyfriend|girlfriend|fiancee?|brother|sister|sibling|twin|"
    r"cousin|aunt|uncle|niece|nephew|"
    r"grandmother|grandfather|grandma|grandpa|granny|nan|roommate|flatmate|neighbou?r|friend|emergency contact|in-law|"
    r"espos[oa]|marido|mujer|pareja|novi[oa]|herman[oa]|prim[oa]|ti[oa]|sobrin[oa]|abuel[oa]|"
    r"cunad[oa]|suegr[oa]|vecin[oa]|amig[oa]|"
    r"contacto de emergencia"
)
KIN_GAP = (
    r"(?:['’]?s? (?:full )?name is|['’]?s\b|is called| called| is| named|,|:|\(|-|se llama|llamad[oa]|de nombre|\s)*\s*"
)
KIN_BEFORE = re.compile(
    rf"\b(?:my|our|his|her|their|your|the|mis?|sus?|tus?|nuestr[oa]|el|"
    rf"la)\s+(?:[\w-]+\s+){{0,2}}?(?:(?P<child>{CHILD})|(?P<parent>{PARENT})"
    rf"|(?P<other>{OTHER_KIN}))\s*{KIN_GAP}{TITLE}$"
)
KIN_AFTER = re.compile(
    rf"^,?\s*\(?(?:(?:is|es|who is|he is|she is|que es)\s+)?(?:my|our|his|her|mi|su|tu)\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?:(?P<child>{CHILD})|(?P<parent>{PARENT})|(?P<other>{OTHER_KIN}))\b"
)
SELF_BEFORE = re.compile(
    r"(?:\b(?:my (?:full |first |last |legal )?name(?:['’]?s| is)?|name['’]?s|name(?= ?:)|i am|"
    r"i['’]?m|this is|it['’]?s|call me|"
    r"you(?:['’]re| are) (?:speaking|chatting|talking) (?:with|to)|signed|surname(?: is)?|"
    r"apellidos?(?: es)?|regards|sincerely|cheers|me llamo|"
    r"(?:mi )?nombre(?: completo)?(?: es)?|soy|"
    rf"le (?:habla|atiende|saluda)|habla|aqui|saludos|atentamente|un saludo))\s*[,:.]?\s*(?:\n\s*)?{TITLE}$"
)
SELF_AFTER = re.compile(r"^\s*,?\s*(?:here\b|speaking\b|al habla|por aqui|from (?:the )?(?:support|billing|customer))")
# "Ana here" at a start is Ana; "I have Ana here" is not.
STANDS_FIRST = re.compile(rf"(?:^|[.!?,:\n]\s*|\b(?:hi|hello|hey|hola|support),?\s+){TITLE}$")
GREETED = re.compile(
    r"(?:^|[.!?,\n]\s*|\b(?=thx|thanks|gracias))(?:"
    r"(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|morning|"
    r"hola|buen(?:os|as)? ?(?:dias|tardes|noches|dia)?|"
    r"estimad[oa]|welcome(?: back)?|bienvenid[oa]|(?:thanks?(?: you)?|thx|ty)(?: so much| a lot| very much|"
    r" again| for [\w ]{1,30})?|(?:muchas |mil )?gracias|"
    r"nice to meet you|good to see you|bye|goodbye|adios|hasta luego|take care|cuidese|sorry|"
    r"lo siento|ok(?:ay)?|alright|all right|perfect|"
    r"great|sure|yes|no|well|right|of course|exactly|good (?:job|work|question)|nice(?: work|"
    r" one)?|well done|awesome|excellent|"
    r"muy bien|bien|perfecto|claro|vale|si|exacto|excelente|genial|de nada|you['’]re welcome|"
    r"no problem|no worries|got it|"
    rf"understood|entiendo|entendido|there|again))\s*[,!.]?\s*{TITLE}$"
)
GREETED_ALONE = re.compile(
    rf"^\W*(?:hi|hello|hey|hiya|hola|dear|good \w+|thanks?(?: you)?|thx|gracias|bye|welcome)\W*{TITLE}$"
)
CLOSED = re.compile(r"^\s*(?:[,.!?;:)\n—-]|$)")
COMMA_NAME_END = re.compile(rf",\s*{TITLE}$")
SENTENCE_END = re.compile(r"^\s*(?:[.!?]|$)")
SENTENCE_START = re.compile(rf"(?:^|[.!?]\s+|\n\s*){TITLE}$")
ADDRESS_GOES_ON = re.compile(
    r"^\s*(?:,|[?!] )|^\s+(?:how|what|why|can|could|would|did|do|you|let|please|que|como|puede|podria|cual)\b"
)
NAME_ASKED = re.compile(
    r"(?<!\bmy )(?<!\bmy full )\bname\b(?! is (?!on|the))|who am i (?:speaking|talking|chatting)|"
    r"who(?:'s| is) (?:this|calling)|(?<!\bmi )\bnombre\b(?! es)|"
    r"con quien (?:hablo|tengo)|como (?:te|se) llama|"
    r"your details|sus datos|identify yourself"
)
OWNED_BY = re.compile(
    r"\b(?:account|record|file|chart|booking|order|appointment|reservation|profile|policy|"
    r"name on|patient|holder|registered|cuenta|expediente|"
    r"historia|cita|pedido|titular|reserva|poliza)\b[^.?!]{0,24}?\b(?:for|of|under|to|is|as|"
    r"nombre de|de|para|es)\s+(?:the name (?:of )?)?"
    rf"{TITLE}$|\b(?:i have you as|see you['’]re|you['’]re|you are|usted es|es usted|"
    rf"am i (?:speaking|talking) (?:with|to)|hablo con|is this)\s+{TITLE}$"
)
NOUNS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, domain, re.compile(rf"(?:^|\b)(?:{words})\.?\s*[,:]?\s*(?:se llama |called |named |is )?$"))
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


# "Her name is Ana", said after "my mother" or in answer to "your mother?"; and "Leo's mom", "la madre de Leo".
NAMED_BY_OTHER = re.compile(
    rf"\b(?:(?:her|his|their|whose|su) (?:full )?(?:name is|name['’]?s|nombre es)|se llama|"
    rf"(?:she|he)(?:['’]s| is) called)\s+{TITLE}$"
)
KIN_WORD = re.compile(rf"\b(?:(?P<child>{CHILD})|(?P<parent>{PARENT})|(?P<other>{OTHER_KIN}))s?\b")
PARENT_OF = re.compile(rf"\b(?:{PARENT})\s+(?:de|of)\s+$")
WHOSE_PARENT = re.compile(rf"^['’]?s?\s+(?:{PARENT})\b")
