"""Dialogue acts by rule: what a turn does, as a communicative function of ISO 24617-2, in English and Spanish.

The rules look at the turn's abstract text (markers in place), at its place in the conversation and at the act before
it: "yes, please" confirms a question, accepts an offer or accepts a suggestion.
"""

from __future__ import annotations

import re

from seed_engine.names import fold

# What a turn does stands at its two ends; the middle of a 5 MB turn adds nothing but time.
_HEAD, _TAIL = 1200, 400

_QUESTIONS = frozenset({"setQuestion", "propositionalQuestion", "choiceQuestion", "checkQuestion"})
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|ya|sure|correct|right|exactly|indeed|absolutely|of course|"
    r"that(?:'| i)?s (?:right|correct|it|fine|good|great|perfect)|"
    r"sounds (?:good|great|fine|perfect)|looks good|ok|okay|k|fine|alright|all right|great|"
    r"perfect|good|cool|awesome|go ahead|please do|"
    r"si|claro|correcto|exacto|vale|de acuerdo|por supuesto|perfecto|asi es|efectivamente|bueno|genial|ok)\b"
)
_NO = re.compile(
    r"^\W*(?:no|nope|nah|not (?:really|yet|now|at the moment)|never|negative|none|nothing else|"
    r"incorrect|that's not|todavia no|para nada|nunca)\b"
)
_THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate|gracias|agradezco|agradecid[oa])\b")
_WELCOME = re.compile(
    r"\b(?:you(?:'re| are) (?:very |most )?welcome|no problem|my pleasure|anytime|"
    r"don't mention it|glad (?:i|to|we) (?:could )?help|de nada|no hay de que|un placer|"
    r"con gusto)\b"
)
_BYE = re.compile(
    r"\b(?:bye|goodbye|good bye|see you|see ya|take care|have a (?:great|good|nice|wonderful|"
    r"lovely|fantastic|pleasant|safe)|enjoy your|talk soon|good night|"
    r"adios|hasta (?:luego|pronto|manana|el|la)|que (?:tenga|tengas|pase|le vaya|te vaya)|"
    r"buen dia|cuidese|cuidate|nos vemos|chao)\b"
)
_HELLO = re.compile(
    r"^\W*(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|greetings|welcome|hola|"
    r"buenos dias|buenas(?: tardes| noches)?|bienvenid[oa]|morning)\b"
)
_SELF = re.compile(
    r"\b(?:my name is|this is \[|i(?:'| a)m \[|i'm your|le habla|le atiende|me llamo|"
    r"mi nombre es|soy \[|soy el|soy la|you're (?:chatting|speaking) with)"
)
_SORRY = re.compile(
    r"\b(?:sorry|apolog(?:y|ies|ise|ize)|lo siento|lo lamento|disculp\w*|perdon\w*|unfortunately|lamentablemente)\b"
)
_REQUEST = re.compile(
    r"\b(?:i(?:'d| would) (?:like|love|prefer)|i (?:want|need|wish)|i'm looking|i am looking|"
    r"looking for|(?:can|could|would|will) (?:you|u)|please (?:find|book|send|check|help|give|"
    r"tell|show|play|make|confirm|provide|reserve|search|transfer|add)|"
    r"help me|find me|show me|give me|tell me|book me|get me|search for|let me have|do me|"
    r"quiero|quisiera|necesito|me gustaria|(?:me )?(?:puede|puedes|podria|podrias|pueden)|busco|"
    r"ayud[ae]me|deme|dame|digame|dime|me da\b|me confirma|facilit[ae]me|indiqueme)\b|"
    r"^\W*(?:find|book|search|play|show|get|check|make|reserve|order|send|transfer|add|set|"
    r"look)\b"
)
_OFFER = re.compile(
    r"\b(?:would you like (?:me|us)?|do you (?:want|need) me|shall i|should i|can i (?:help|do|"
    r"get|assist)|may i help|how (?:can|may) i (?:help|assist)|anything else|let me know if|"
    r"do you want to|would you like|"
    r"something else|is there anything|i can (?:also )?(?:send|offer|book|arrange|help|reserve|"
    r"refund|check)|want me to|need anything|"
    r"le gustaria|quiere que|quieres que|desea que|(?:le|te) puedo ofrecer|algo mas|"
    r"en que (?:puedo|le puedo|te puedo)|si quiere|puedo ayudar\w*)\b"
)
_SUGGEST = re.compile(
    r"\b(?:how about|what about|why don't (?:you|we)|i(?:'d| would)? (?:recommend|suggest|"
    r"advise)|you (?:could|might|should)|let'?s|try|there(?:'s| is| are) (?:a |an |also )?|"
    r"there is also|i found|i see|maybe we|"
    r"que tal si|te recomiendo|le recomiendo|sugiero|deberia|deberias|por que no|podemos|"
    r"podriamos|vamos a|intenta|intente|prueba|pruebe|conviene)\b"
)
_INSTRUCT = re.compile(
    r"^\W*(?:first|then|next|now|please|ok(?:ay)?|so|primero|luego|despues|ahora|por favor|"
    r"entonces)?\W*(?:take|hold|press|unplug|restart|click|open|go to|turn|enter|type|keep|"
    r"avoid|rest|drink|apply|write|draw|multiply|divide|add|subtract|remember|look at|put|"
    r"start by|bring|"
    r"tome|tomese|mantenga|pulse|presione|reinicie|desenchufe|abra|vaya|escriba|evite|descanse|"
    r"beba|aplique|escribe|dibuja|multiplica|divide|suma|resta|recuerda|recuerde|fijate|pon|"
    r"traiga|haz|mira)\b"
)
_PROMISE = re.compile(
    r"\b(?:i(?:'ll| will|'m going to| am going to)|we(?:'ll| will)|you(?:'ll| will) (?:receive|"
    r"get)|(?:i have|i've|ive) (?:just )?(?:sent|issued|booked|updated|processed|scheduled)|"
    r"le (?:enviare|enviaremos|llamaremos|mando|envio)|te (?:envio|mando|enviare)|"
    r"voy a|vamos a (?:enviar|revisar|tramitar)|enseguida|ahora mismo)\b"
)
_STALLING = re.compile(
    r"\b(?:one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|hold on|"
    r"bear with me|let me (?:check|see|look|pull|think)|give me a (?:moment|second|sec|minute)|"
    r"un momento|un segundo|dejeme|dejame|espere|hmm+|permitame)\b"
)
_CONFUSED = re.compile(
    r"\b(?:i don'?t (?:understand|get it|follow)|what do you mean|confus\w+|i'?m lost|pardon|"
    r"come again|no (?:lo )?entiendo|como dice|no me queda claro|estoy perdid[oa])\b"
)
_UNDERSTOOD = re.compile(
    r"^\W*(?:i see|got it|gotcha|understood|ah+|oh+|makes sense|i understand|interesting|noted|"
    r"entiendo|entendido|ya veo|ya entiendo|ah vale|comprendo|mm+|uh huh)\b"
)
_WRONG = re.compile(
    r"\b(?:actually|i meant|not quite|that(?:'s| is) (?:not right|wrong|incorrect)|wait,? no|"
    r"instead|change (?:it|that|the)|should be|mistake|rather|en realidad|no exactamente|"
    r"no es correcto|quise decir|mejor dicho|te equivocaste|casi)\b"
)
_DISAGREE = re.compile(
    r"\b(?:i (?:don't|do not) (?:think|agree|believe)|disagree|no creo|no estoy de acuerdo|that can't be)\b"
)
_CHECK = re.compile(
    r"\b(?:right\?|correct\?|is (?:that|this|everything) (?:right|correct|ok|okay|all right)|"
    r"please confirm|(?:can|could) you confirm|confirm (?:the following|these|that|your|if)|"
    r"just to (?:confirm|check)|double[- ]check|verdad\?|correcto\?|no\?|"
    r"cierto\?|confirma|confirmo|es correcto|so you|you said|look(?:s)? (?:correct|good|right)\?|me confirma)"
)
_SET = re.compile(
    r"\b(?:what|what's|whats|which|who|whose|where|when|why|how|que|cual|cuales|quien|quienes|"
    r"donde|cuando|cuanto|cuanta|cuantos|cuantas|como|por que)\b[^.!?]*\?|"
    r"^\W*(?:(?:and|so|ok|okay|sure|great|hi|hello|y|vale|perfecto)\W+)?(?:what|what's|whats|"
    r"which|who|where|when|why|how|cual|donde|cuando|cuanto|cuantos|que|como)\b"
)
_CHOICE = re.compile(r"\b\w+(?: \w+){0,4} (?:or|o) \w+(?: \w+){0,4}\?")
_REQUEST_INFO = re.compile(
    r"\b(?:may i have|can i (?:have|get)|could i (?:have|get)|(?:can|could|"
    r"would) you (?:please )?(?:tell|give|provide|share|spell)|please provide|tell me|me (?:da|"
    r"dice|indica|facilita|puede dar|podria dar))\b"
)


def dialogue_act(text: str, previous: str | None, *, first: bool = False, greeted: bool = False) -> str:
    """The act of one turn.

    Args:
        text: the turn's text, best with markers in place of personal data; only its ends are looked at.
        previous: the act of the turn before (another speaker's), None at the start.
        first: whether this is the conversation's first turn.
        greeted: whether somebody greeted before.
    """
    ends = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]} {text[-_TAIL:]}"
    folded = fold(ends).replace("’", "'").strip()
    if not folded:
        return "stalling"
    return (
        _closing(folded, previous)
        or _opening(folded, first=first, greeted=greeted)
        or _asking(folded, previous)
        or _reacting(folded, previous)
        or _telling(folded, previous)
    )


def _closing(folded: str, previous: str | None) -> str | None:
    asks = "?" in folded
    if _BYE.search(folded) and not asks and len(folded) < 220:
        return "returnGoodbye" if previous in ("initialGoodbye", "returnGoodbye") else "initialGoodbye"
    if _WELCOME.search(folded) and not asks and len(folded) < 160:
        return "acceptThanking"
    if _THANKS.search(folded) and not asks and len(folded) < 120 and not _REQUEST.search(folded):
        return "thanking"
    return None


def _opening(folded: str, *, first: bool, greeted: bool) -> str | None:
    if not _HELLO.match(folded) or (not first and greeted and len(folded) > 60):
        return None
    if _SELF.search(folded) and len(folded) < 200 and not _REQUEST.search(folded):
        return "initialSelfIntroduction"
    if _REQUEST.search(folded) or len(folded) > 90 or ("?" in folded and not _OFFER.search(folded)):
        return None
    return "returnGreeting" if greeted else "initialGreeting"


def _asking(folded: str, previous: str | None) -> str | None:
    last = re.split(r"(?<=[.!])\s", folded)[-1]
    if _CONFUSED.search(folded) and len(folded) < 160:
        return "autoNegative"
    if _CHECK.search(folded) and ("?" in folded or "confirm" in folded):
        return "checkQuestion"
    if "?" not in folded and not _SET.match(folded):
        return "setQuestion" if _REQUEST_INFO.search(folded) and len(folded) < 160 else None
    if _OFFER.search(last):
        return "offer"
    if re.search(r"\b(?:how|what) about\b|\bque tal si\b", last):
        return "suggest"
    if _REQUEST_INFO.search(last):
        return "setQuestion"
    if _CHOICE.search(last):
        return "choiceQuestion"
    if _SET.search(last):
        return "setQuestion"
    return "request" if _REQUEST.search(last) else "propositionalQuestion"


def _reacting(folded: str, previous: str | None) -> str | None:
    """Reactions to the act before; only what says yes or no can be one."""
    yes, no = _YES.match(folded), _NO.match(folded)
    if _STALLING.search(folded) and len(folded) < 120:
        return "stalling"
    if _WRONG.search(folded) and len(folded) < 200 and previous not in (None, "setQuestion", "choiceQuestion"):
        return "correction"
    if _DISAGREE.search(folded):
        return "disagreement"
    if not yes and not no:
        return None
    if previous in ("offer", "suggest", "request", "instruct") and len(folded) < 160:
        kind = {"offer": "Offer", "suggest": "Suggest", "request": "Request", "instruct": "Request"}[previous]
        return ("accept" if yes else "decline") + kind
    if previous in _QUESTIONS and previous != "setQuestion":
        return "confirm" if yes else "disconfirm"
    if previous == "apology" and yes and len(folded) < 60:
        return "acceptApology"
    if len(folded) < 60 and previous != "setQuestion":
        return "agreement" if yes else "disagreement"
    return None


def _telling(folded: str, previous: str | None) -> str:
    if _REQUEST.search(folded):
        return "request"
    if _UNDERSTOOD.match(folded) and len(folded) < 80:
        return "autoPositive"
    if _SELF.search(folded) and len(folded) < 120 and previous in (None, "initialGreeting"):
        return "initialSelfIntroduction"
    if _INSTRUCT.match(folded):
        return "instruct"
    if _SORRY.search(folded):
        return "apology"
    if _PROMISE.search(folded):
        return "promise"
    if _OFFER.search(folded):
        return "offer"
    if _SUGGEST.search(folded):
        return "suggest"
    return "answer" if previous in _QUESTIONS or previous == "request" else "inform"
