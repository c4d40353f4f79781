"""Patterns around a person's name, in English and Spanish, over case-folded text without accents.

Those that end in `$` are searched in the text before the name, those that start with `^` are matched after it.
"""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

TITLE = (
    r"(?:(?:mr|mrs|ms|miss|mx|dr|dra|doctor|doctora|nurse|prof|professor|profesora?|profe|"
    r"don|dona|senora?|senorita|srta?|sra|lic|licenciad[oa])\b\.?\s*)?"
)
HELLO = (
    r"hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening|day)|morning|afternoon|evening|hola|"
    r"buen(?:os|as)? ?(?:dias|tardes|noches|dia)?|estimad[oa]|querid[oa]"
)
PRESENTED = re.compile(
    rf"(?:\b(?:this is|it['’]?s|its|es|esta es|este es|here is|aqui esta)\s+(?:(?:la|el)\s+)?{TITLE})$"
)
SELF_BEFORE = re.compile(
    r"(?:\b(?:my (?:full |first |last |legal )?name(?:['’]?s| is)?|(?<!his )(?<!her )(?<!the )name(?= ?:)|i am|i['’]?m|"
    r"this is|it['’]?s|im|its|"
    r"you(?:['’]re| are) (?:speaking|chatting|talking) (?:with|to)|you['’]ve reached|signed|surname(?: is)?|"
    r"apellidos?(?: es)?|me llamo|mi nombre(?: completo)?(?: es)?|nombre(?: completo)?(?: es|:)|soy|"
    r"le (?:habla|atiende|saluda)|te (?:habla|atiende|saluda)|habla|aqui|"
    r"(?:regards|sincerely|cheers|saludos|atentamente|un saludo|yours)(?=\s*[,\n])))"
    rf"\s*[,:.]?\s*(?:\n\s*)?(?:(?:la|el|the|a|your)\s+)?{TITLE}$"
)
SURNAME_SAID = re.compile(r"\b(?:surname|last name|family name|(?:primer |segundo )?apellidos?)(?: is| es)?:?\s*$")
SELF_AFTER = re.compile(
    r"^\s*,?\s*(?:here\b|speaking\b|again\b|al habla|al aparato|por aqui|(?:le|te) (?:habla|atiende|saluda)|"
    r"(?:soy|i am|i['’]?m|im) (?:su|his|her|their|the|la|el|tu|your)\b|"
    r"from (?:the )?(?:support|billing|customer))"
)
# "Fernanda Paz, Kestrel Wealth." and "Fernanda from Kestrel": who opens a talk like this presents herself.
# "Eunice Park?" "Eunice, yes."
SELF_AFFIRMED = re.compile(
    r"^\s*,?\s*(?:yes|yeah|yep|si|that['’]?s (?:me|right|correct)|soy yo|el mismo|la misma|servidora?)\b"
)
SELF_OPENS = re.compile(r"^,?\s+(?:from|at|with|de|desde)\s+(?:the\s+)?[A-ZÁÉÍÓÚÑ]")
SELF_OPENS_FIRST = re.compile(r"^,\s+[A-ZÁÉÍÓÚÑ][\w&]+(?: [A-ZÁÉÍÓÚÑ&]\w*)*\s*[.!]")
# Where a talk or a sentence begins, greeting or not.
OPENING = re.compile(rf"(?:^|[.!?\n]\s*)(?:(?:{HELLO}),?\s+)?{TITLE}$")
# "Ana here" at a start is Ana; "I have Ana here" is not.
STANDS_FIRST = re.compile(rf"(?:^|[.!?,:\n]\s*|\b(?:hi|hello|hey|hola|support|buenas|buenos dias),?\s+){TITLE}$")
ALIAS_BEFORE = re.compile(
    r"(?:\b(?:calls? me|known as|just|i go by|i prefer|people say|prefiero|me (?:llaman|dicen)|"
    r"(?:llame|llama|diga|di)me(?!,)|puede llamarme|digale(?!,)|dile(?!,))\s*,?\s*)$"
)
ALIAS_AFTER = re.compile(
    r"^\s*,?\s*(?:is (?:fine|ok|okay|good|better|enough)|['’]?s fine|please\s*[.!]|works(?: for me| fine| too)?\s*(?:[.,!]|$)|por favor\s*[.!]|"
    r"a secas|esta bien|me vale|, como todos)"
)
THEIR_ALIAS = re.compile(
    r"(?:\b(?:(?:he|she|they) (?:goes|go) by|we (?:all )?call (?:her|him|them)|everyone calls (?:her|him)|"
    r"(?:le|la|lo) (?:dicen|decimos|llaman|llamamos)|also known as|aka|better known as|mejor conocid[oa] como)\s+)$"
)
_POLITE = (
    r"welcome(?: back)?|bienvenid[oa]|(?:many )?(?:thanks?(?: you)?|thx|ty|cheers)(?: so much| a lot| very much| again|"
    r" for [\w ]{1,30})?|(?:muchas |mil |muchisimas )?gracias(?: por [\w ]{1,30})?|nice to meet you|good to see you|"
    r"pleased to meet you|encantad[oa]|mucho gusto|un placer|bye|goodbye|see you(?: soon| later| then)?|adios|hasta (?:luego|"
    r"manana|pronto)|take care|cuidese|cuidate|(?:i['’]?m (?:so |very |really )?)?sorry|(?:my )?apologies|lo siento(?: mucho)?|disculpe|perdone?|congratulations|enhorabuena|felicidades|"
    r"animo|a usted|igualmente|de nada|you['’]re welcome|no problem|no worries|good luck|suerte|please|por favor"
)
_ASSENT = (
    r"ok(?:ay)?|alright|all right|perfect|great|sure|yes|no|well|right|of course|exactly|good (?:job|work|question|man)|"
    r"nice(?: work| one)?|well done|awesome|excellent|lovely|fine|muy bien(?: hecho)?|bien|perfecto|claro|vale|si|exacto|"
    r"excelente|genial|estupendo|got it|understood|entiendo|entendido|there|again|done|hecho|listo|come in|pase|"
    r"adelante|digame|dime|a ver|mire|oiga|oye|entonces|pues|bueno|de acuerdo|look|listen|absolutely|"
    r"anytime|any time|will do|cool|sweet|amazing|sounds good|right away|enseguida|ahora mismo|hasta ahora|buen dia|"
    r"a su servicio|a la orden|con gusto|tranquil[oa]|correct|correcto|recibido|received|deal|yep|nope|ah yes|ah|for you"
)
GREETED = re.compile(rf"(?:^|[.!?,\n]\s*|\b(?=thx|thanks|gracias|cheers))(?:{HELLO}|{_POLITE})\s*[,!.]?\s*{TITLE}$")
# After "yes" or a comma a full name is no address: "Yes, Miriam Stolz."
ASSENTED = re.compile(
    rf"(?:^|[.!?,\n]\s*)(?:(?:(?:ja|ha|je|he){{2,}}h?|lol|oh|ah|uf|well|bueno)[,!.]?\s+)?(?:{_ASSENT})\s*[,!.]?\s*{TITLE}$"
)
GREETED_ALONE = re.compile(
    rf"(?:^|[.!?]\s)\W*(?:{HELLO}|thanks?(?: you)?|thx|gracias|bye|cheers|ty|welcome)\s*{TITLE}$"
)
CLOSED = re.compile(r"^\s*(?:[,.!?;:)\n—-]|$)")
COMMA_NAME_END = re.compile(rf",\s*{TITLE}$")
SENTENCE_END = re.compile(r"^\s*(?:[.!?…]|$|and\b|y\b|:\))")
SENTENCE_START = re.compile(rf"(?:^|[.!?¿¡]\s*|\n\s*){TITLE}$")
ASKED_BY_NAME = re.compile(r"^\s*\?")
COMMA_AFTER = re.compile(r"^\s*,")
ADDRESS_GOES_ON = re.compile(
    r"^\s*(?:,|[?!] )|^\s+(?:how|what|why|can|could|would|did|do|you|let|please|que|como|puede|podria|cual)\b"
)
MEETING = re.compile(
    rf"\b(?:(?:nice|pleased|good|lovely) to (?:meet|see) you(?: too)?|encantad[oa]|mucho gusto|un placer)[\s,]*{TITLE}$"
)
SURNAME_ASKED = re.compile(r"\b(?:surname|last name|family name|apellidos?)\b[^.?!]{0,20}\?\s*$")
NAME_ASKED = re.compile(
    r"\b(?:surname|apellidos?)\b[^.?!]{0,20}\?|(?<!\bmy )(?<!\bmy full )\bnames?\b(?! is (?!on|the|not))|who am i (?:speaking|talking|chatting)|"
    r"who do i have|who(?:'s| is) (?:this|calling|there)|who are you|quien (?:es|habla|llama|eres)\b|(?<!\bmi )\bnombres?\b(?! es)|con quien (?:hablo|tengo)|"
    r"como (?:te|se) llama|(?:usted|tu) (?:se|te) llamas?|your details|sus datos|identify yourself|and you are|y usted es|y tu eres|"
    r"how should i (?:call|address) you|what (?:should|can|may) (?:i|we) call you|como (?:prefiere|le gustaria|quiere) que (?:le|la|lo|te)"
)
THEIR_NAME_ASKED = re.compile(
    r"\b(?:his|her|their|the (?:child|kid|boy|girl|baby)['’]?s) (?:full |first |last )?name\b|"
    r"what(?:['’]?s| is) (?:he|she) called|who is (?:he|she)\b|como se llama (?:el|ella)\b|"
    r"nombre (?:de|del) (?:el|ella|la|nino|chico|peque)\b|y el de\b|y la de\b"
)
YOURS_ASKED = re.compile(
    r"\b(?:your|you|u|tu|te|usted|ustedes|su (?:nombre|apellidos?)|names|nombres)\b|(?:hablo|tengo el gusto)"
)
ALIAS_ASKED = re.compile(
    r"how should i (?:call|address) you|what (?:should|can|may) (?:i|we) call you|"
    r"como (?:prefiere|le gustaria|quiere|prefieres) que (?:le|la|lo|te) llame"
)
OWNED_BY = re.compile(
    r"\b(?:account|record|file|chart|booking|order|appointment|reservation|profile|policy|name on|patient|holder|"
    r"registered|contract|ticket|letter|letters|slip|script|made out|put it|put me|cuenta|expediente|historia|cita|pedido|"
    r"titular|reserva|poliza|contrato|factura|billete|volante|receta|informe)\b"
    r"[^.?!]{0,24}?\b(?:for|of|under|to|is|as|in|nombre de|de|para|es)\s+(?:the name (?:of )?|my name,?\s+)?"
    rf"{TITLE}$|\ba nombre de\s+{TITLE}$"
)
# "William Chavez, born in May, is that right?"
RECORD_AFTER = re.compile(
    r"^\s*,?\s*(?:born\b|date of birth|dob\b|nacid[oa]\b|is that (?:right|correct|you)|(?:correct|right)\s*\?|"
    r"¿?(?:es correcto|correcto|verdad|cierto)\s*\?)"
)
SPOKEN_TO = re.compile(
    r"\b(?:i have you as|see you['’]re|you['’]re|you are|are you|you must be|usted es|es usted|eres|tu eres|"
    r"am i (?:speaking|talking|chatting) (?:with|to)|(?<!quien )hablo con|is this|is that|would this be)\s+"
    rf"(?:(?:la|el)\s+)?{TITLE}$"
)
# The customer of a service talks of those who served before.
SERVED_BY = re.compile(
    r"\b(?:(?:spoke|talked|talk|speak|talking|chatted|chat|call|speaking|dealt|dealing|been|worked) (?:to|with)|"
    r"helped by|served by|ask for|get me|put me through to|transfer me to|connect me (?:to|with)|"
    r"(?:hable|hablamos|hablado|hablando|hablar|trate|tratado|chatee|comuniqueme|paseme|pongame) con|preguntar por|"
    rf"me (?:atendio|ayudo|dijo|prometio)|(?:first|then|primero|luego|despues)(?: el| la)?)\s+"
    rf"(?:with\s+|a\s+|someone (?:called|named)\s+)?{TITLE}$"
)
NOTE_BY = re.compile(rf"\b(?:notes?|message|nota|mensaje|recado) (?:from|by|de)\s+{TITLE}$")
# "Valentina is on another call": so one speaks of who works here.
AT_WORK = re.compile(
    r"^\s*(?:is|['’]s|will be|was|esta|anda|sigue)\s+(?:currently |still |hoy )?(?:on (?:a|another|the) (?:call|phone|line)|"
    r"with (?:a|another) (?:client|customer)|off|on leave|on holiday|on vacation|away|out of (?:the )?office|"
    r"not (?:in|here|available|working)|busy|available|in a meeting|en (?:otra|una) llamada|con otr[oa]|atendiendo|"
    r"ocupad[oa]|de baja|de vacaciones|libre|reunid[oa])\b"
)
IS_THERE = re.compile(rf"(?:^|[.!?¿,]\s*)(?:is|esta|anda)\s+{TITLE}$")
THERE = re.compile(
    r"^(?:\s+(?:there|in|around|available|free|working|disponible|por ahi|hoy|today|now|right now|not here|ahora|on shift)){0,3}\s*\?"
)
# "A Mr. Dunmore", "un tal Pizarro": nobody who came up before.
STRANGER_EN = re.compile(rf"(?:^|\s)(?:an?|some|a certain|(?:somebody|someone|some guy)(?: called| named))\s+{TITLE}$")
STRANGER_ES = re.compile(rf"(?:^|\s)(?:un tal|una tal|ningun|ninguna|cierto|cierta)\s+{TITLE}$")
# "Aurelio hijo", "Harold Sr.", at the end of a name or right after it.
JUNIOR = re.compile(r"(?:^|\s)(?:hijo|jr|junior)\.?$|^\s+(?:hijo|jr|junior)\b")
SENIOR = re.compile(r"\s(?:sr|senior|padre)\.?$|^\s+(?:senior|padre)\b")
NAMED_BY_OTHER = re.compile(
    rf"\b(?:(?:her|his|their|whose|su|the (?:child|kid|boy|girl)['’]?s) (?:full |first )?(?:name is|name['’]?s|nombre es)|se llama|"
    rf"(?:she|he)(?:['’]s| is) called|his is|hers is|el suyo es|la suya es)\s+{TITLE}$"
)
# "The mother of Leo and Ana", "Leo's mom".
PARENT = r"mum|mom|mommy|dad|daddy|mother|father|mama|papa|madre|padre|guardian"
PARENT_OF = re.compile(rf"\b(?:{PARENT})\s+(?:de|of)\s+(?:\w+\s+(?:\w+\s+)?(?:and|y|e)\s+)?$")
WHOSE_PARENT = re.compile(rf"^['’]?s?\s+(?:{PARENT})\b")
