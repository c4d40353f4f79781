"""Wordings by which a turn shows what it does, in English and Spanish, over case-folded text without accents."""

from __future__ import annotations

import re

YES = re.compile(
    r"^\W*(?:yes|yea|yeah|yep|yup|ya|sure|terrific|amazing|beautiful|lovely|super|all good|"
    r"(?:that|it|this)(?:'ll| will| would| should| might) (?:work|do)\b|you (?:got it|bet)|"
    r"fantastic|excellent|wonderful|"
    r"(?:that |it )?works for me|that works|that will do|correct|confirmed|right|exactly|indeed|i certainly|"
    r"that is okay|absolutely|of course|"
    r"that(?:'| i)?s (?:right|correct|it|fine|good|great|perfect)|"
    r"sounds (?:good|great|fine|perfect)|looks good|ok|okay|k|fine|alright|all right|great|"
    r"perfect|good|cool|awesome|go ahead|please do|"
    r"si|claro|correcto|exacto|vale|de acuerdo|por supuesto|perfecto|asi es|efectivamente|bueno|genial|ok)\b"
)
NO = re.compile(
    r"^\W*(?:no|nope|nah|not (?:really|yet|now|at the moment)|never|negative|none|nothing else|"
    r"incorrect|that's not|(?:maybe|perhaps|possibly)?\W*(?:some |at an?|an)?(?:other |later )?(?:later|"
    r"another) time|"
    r"(?:maybe|perhaps) later|some other time|not right|todavia no|ahora no|quizas? (?:luego|mas tarde)|para nada|"
    r"nunca)\b"
)
THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate|gracias|agradezco|agradecid[oa])\b")
WELCOME = re.compile(
    r"\b(?:you(?:'re| are) (?:very |most |always )?welcome|very much welcome|no problem|my pleasure|anytime|"
    r"don't mention it|glad (?:i|to|we) (?:could )?help|de nada|no hay de que|un placer|"
    r"con gusto)\b"
)
BYE = re.compile(
    r"\b(?:bye|goodbye|good bye|see you|see ya|take care|"
    r"have an? (?:\w+ ){0,4}(?:day|night|evening|morning|afternoon|weekend|time|one|trip|stay|flight)|"
    r"talk to you|speak (?:to|with) you (?:later|soon)|have fun|hope you(?:r day|r (?:stay|trip)|(?: have|'ll have))|"
    r"enjoy(?: your| the|!|\.|$)|have a fine|talk soon|good night|"
    r"adios|hasta (?:luego|pronto|manana|el|la)|que (?:tenga|tengas|pase|le vaya|te vaya)|"
    r"buen dia|cuidese|cuidate|nos vemos|chao)\b"
)
HELLO = re.compile(
    r"^\W*(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|greetings|welcome|hola|"
    r"buenos dias|buenas(?: tardes| noches)?|bienvenid[oa]|morning)\b"
)
SELF = re.compile(
    r"\b(?:my name is|this is \[|i(?:'| a)m \[|i'm your|le habla|le atiende|me llamo|"
    r"mi nombre es|soy \[|soy el|soy la|you're (?:chatting|speaking) with)"
)
SORRY = re.compile(
    r"\b(?:sorry|apolog(?:y|ies|ise|ize)|lo siento|lo lamento|disculp\w*|perdon\w*|unfortunately|lamentablemente)\b"
)
REQUEST = re.compile(
    r"\b(?:i(?:'d| would) (?:also |really |rather )?(?:like|love|prefer)|i(?:'m| am) interested in \w+ing|"
    r"i (?:also )?(?:want|need|wish)\b(?! to (?:multiply|add|subtract|divide|"
    r"calculate|figure|work out|understand))|i'm looking|i am looking|"
    r"looking for|(?:can|could|would|will) (?:you|u)|please (?:find|book|send|check|help|give|"
    r"tell|show|play|make|confirm|provide|reserve|search|transfer|add)|"
    r"help me|find me|show me|give me|tell me|book me|get me|search for|let me have|do me|"
    r"quiero|quisiera|necesito|me gustaria|(?:me )?(?:puede|puedes|podria|podrias|pueden)|busco|"
    r"ayud[ae]me|deme|dame|digame|dime|me da\b|me confirma|facilit[ae]me|indiqueme)\b|"
    r"^\W*(?:find|book|search(?! (?:reveal|result|show|return))|play|show|get|check|make|reserve|order|send|"
    r"transfer|add|set|"
    r"look)\b"
)
OFFER = re.compile(
    r"\b(?:would you like (?:me|us)?|do you (?:want|need) me|shall i|should i|can i (?:help|do|"
    r"get|assist)|may i help|how (?:can|may) i (?:help|assist)|anything else|let me know if|"
    r"do you want to|would you like|"
    r"something else|is there anything|i can (?:also )?(?:send|offer|book|arrange|help|reserve|"
    r"refund|check)|want me to|need anything|"
    r"le gustaria|quiere que|quieres que|desea que|(?:le|te) puedo ofrecer|algo mas|"
    r"en que (?:puedo|le puedo|te puedo)|si quiere|puedo ayudar\w*)\b"
)
SUGGEST = re.compile(
    r"\b(?:how about|what about|why don't (?:you|we)|i(?:'d| would)? (?:recommend|suggest|"
    r"advise)|you (?:could|might|should)|let'?s|try|there(?:'s| is| are) (?:a |an |also )?|"
    r"there is also|i found|i have found|(?:wish to|would) recommend|may i suggest|i see (?:an?|one|some|"
    r"several|many|\d+) |maybe we|"
    r"que tal si|te recomiendo|le recomiendo|sugiero|deberia|deberias|por que no|podemos|"
    r"podriamos|vamos a|intenta|intente|prueba|pruebe|conviene)\b"
)
INSTRUCT = re.compile(
    r"^\W*(?:first|then|next|now|please|ok(?:ay)?|so|primero|luego|despues|ahora|por favor|"
    r"entonces)?\W*(?:take|hold|press|check (?:your|back|again|over)|look (?:again|back|carefully)|re-?read|"
    r"try (?:again|to|it)|think (?:about|of|again)|count|notice|compare|unplug|restart|click|open|go to|turn|"
    r"enter|type|keep|"
    r"avoid|rest|drink|apply|write|draw|multiply|divide|add|subtract|remember|look at|put|"
    r"start by|bring|"
    r"tome|tomese|mantenga|pulse|presione|reinicie|desenchufe|abra|vaya|escriba|evite|descanse|"
    r"beba|aplique|escribe|dibuja|multiplica|divide|suma|resta|recuerda|recuerde|fijate|pon|"
    r"traiga|haz|mira)\b"
)
PROMISE = re.compile(
    r"\b(?:i(?:'ll| will|'m going to| am going to)|we(?:'ll| will)|you(?:'ll| will) (?:receive|"
    r"get)|(?:i have|i've|ive) (?:just )?(?:sent|issued|booked|updated|processed|scheduled)|"
    r"le (?:enviare|enviaremos|llamaremos|mando|envio)|te (?:envio|mando|enviare)|"
    r"voy a|vamos a (?:enviar|revisar|tramitar)|enseguida|ahora mismo)\b"
)
STALLING = re.compile(
    r"\b(?:one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|hold on|"
    r"bear with me|let me (?:check|see|look|pull|think)|give me a (?:moment|second|sec|minute)|"
    r"un momento|un segundo|dejeme|dejame|espere|hmm+|permitame)\b"
)
CONFUSED = re.compile(
    r"\b(?:i don'?t (?:understand|get it|follow)|what do you mean|confus\w+|i'?m lost|pardon|"
    r"come again|no (?:lo )?entiendo|como dice|no me queda claro|estoy perdid[oa])\b"
)
UNDERSTOOD = re.compile(
    r"^\W*(?:i see|got it|gotcha|understood|ah+|oh+|makes sense|i understand|interesting|noted|"
    r"entiendo|entendido|ya veo|ya entiendo|ah vale|comprendo|mm+|uh huh)\b"
)
WRONG = re.compile(
    r"\b(?:actually|i meant|not quite|that(?:'s| is) (?:not right|wrong|incorrect)|wait,? no|"
    r"instead|change (?:it|that|the)|should be|mistake|rather|en realidad|no exactamente|"
    r"no es correcto|quise decir|mejor dicho|te equivocaste|casi)\b"
)
DISAGREE = re.compile(
    r"\b(?:i (?:don't|do not) (?:think|agree|believe)|disagree|no creo|no estoy de acuerdo|that can't be)\b"
)
CHECK = re.compile(
    r"\b(?:right\?|correct\?|is (?:that|this|everything|the following) (?:right|correct|ok|okay|all right)|"
    r"please confirm|(?:can|could) you confirm|confirm (?:the following|these|that|your|if)|"
    r"just to (?:confirm|check)|double[- ]check|do i have (?:that|it) right|make sure|verdad\?|correcto\?|no\?|"
    r"cierto\?|confirma|confirmo|es correcto|\bso,? you|you said|look(?:s)? (?:correct|good|right)\?|me confirma)"
)
VERIFY = re.compile(
    r"^\W*(?:(?:ok|okay|sure|fine|great|good|alright|all right|perfect|so|vale|perfecto|"
    r"bien)\W+){0,2}(?:please |let me |i need to |"
    r"por favor,? )?(?:(?:just )?to )?(?:re-?confirm\b|verify\b|(?:kindly )?(?:ensure|confirm)\b|"
    r"(?:just )?confirming|be (?:clear|sure)|"
    r"clarify|double-?check|confirme\b|para confirmar|repasemos)"
)
SET = re.compile(
    r"\b(?:what|what's|whats|which|who|whose|where|when|why|how|que|cual|cuales|quien|quienes|"
    r"donde|cuando|cuanto|cuanta|cuantos|cuantas|como|por que)\b[^.!?]*\?|"
    r"^\W*(?:(?:and|so|ok|okay|sure|great|hi|hello|y|vale|perfecto)\W+)?(?:what|what's|whats|"
    r"which|who|where|when|why|how|cual|donde|cuando|cuanto|cuantos|que|como)\b"
)
CHOICE = re.compile(r"\b\w+(?: \w+){0,4} (?:or|o) \w+(?: \w+){0,4}\?")
REQUEST_INFO = re.compile(
    r"\b(?:may i have|can i (?:have|get)|could i (?:have|get)|(?:can|could|"
    r"would|will) you (?:please )?(?:tell|give|provide|share|spell)|please (?:provide|state|specify)|tell me|"
    r"(?:get|find|give|send|show) me (?:the|their|its|his|her|more|some)\b[^.?!]{0,40}"
    r"(?:address|location|number|phone|price|cost|rating|info|information|details|name)|"
    r"i(?:'d| would) like (?:to know|their|its)|i (?:want|need) to know|"
    r"(?:do you have|is there|have you got|any) (?:an? |any |some )?(?:\w+ ){0,2}(?:preference|in mind)|"
    r"is there (?:a|an|any|some)\b[^.?!]{0,40}\byou(?:'d| would)? (?:like|want|prefer|have in mind)|me (?:da|"
    r"dice|indica|facilita|puede dar|podria dar))\b"
)


DONE = re.compile(
    r"\b(?:that(?:'s| is| was| will be|'ll be| would be|'d be|s) (?:about |definitely |really )?(?:all|it|everything)\b"
    r"(?: (?:the \w+ )?(?:that )?i (?:need|want|require)(?:ed)?\b)?|(?:need|want) nothing (?:else|more)|"
    r"(?:don't|do not|won't) need (?:any(?:thing)?|more) (?:else|more|help)|"
    r"(?:that|it)(?:'s| is) enough\b|thanks for all\b|that does it|nothing else|"
    r"i'?m (?:all set|done|good)|"
    r"i am (?:all set|done|good)|eso es todo|es todo|nada mas)"
)
# More help is offered, whatever it was about.
FURTHER_HELP = re.compile(
    r"\b(?:(?:any|some)thing (?:else|more|(?:i|we) can)|what else|(?:any|some|of) (?:other|more|further|additional) "
    r"(?:\w+ )?(?:help|assistance|service|requests?|questions?)|any(?:thing)? further|help you (?:out )?"
    r"(?:any |some )?(?:further|more)|"
    r"need me (?:for|to)|"
    r"assist you (?:any )?(?:further|more)|what's (?:up )?next|more (?:i|we) can|"
    r"algo mas|alguna? (?:otra )?cosa|otra cosa|mas ayuda|en que mas)\b"
)
PRAISE = re.compile(
    r"\b(?:this|that|it|these|those|they)(?: one)?(?:'s| is| are| one's| one is| will be| would be| seems?|"
    r" sounds?| looks?| works?)+ "
    r"(?:very |really |pretty |so |just |a )?(?:awesome|great|nice|wonderful|perfect|good|fine|"
    r"ok|okay|cool|lovely|excellent|alright|fantastic|delightful|"
    r"interesting|amazing|fun|for me|well)\b|^\W*sounds (?!like (?:a |the )?(?:problem|you))\w+|\bi(?:'d|"
    r" would)? (?:think i'd )?(?:enjoy|like) (?:that|it|this)\b|"
    r"\b(?:me parece bien|suena bien|me gusta|i(?:'ll| will) take|i like)\b"
)
WISH = re.compile(
    r"^\W*(?:(?:sure|yes|ok|okay|well|oh|hmm|si|claro)\W+)?(?:i(?:'d| would)? (?:like|love|"
    r"prefer|want|need|am looking|will|'ll|plan)|i'll|"
    r"please|check|search|look|make it|find|let's|probably|quiero|quisiera|prefiero|me gustaria|para)\b"
)
WH_START = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|sure|great|certainly|alright|yes|y|vale|perfecto|claro|"
    r"of course|also|then|now)\W+)*(?:(?:in|at|on|for|to|from|en|a|de|para|por) )?"
    r"(?:what|what's|whats|which|whom?|where|when|why|how (?:many|much|long|old|far|do|does|did|"
    r"is|are|bad|often)|cual|cuales|donde|cuando|cuant[oa]s?|que|quien)\b"
)
# What is asked for, though the words of an offer follow: "how many would you like me to book?"
ASKS_WHAT = re.compile(
    r"\b(?:what|which|when|where|whom?|how (?:many|much|long))\b[^?]*\b(?:would|do|should|are|shall) (?:you|i|we)\b"
)
MORE_HELP = re.compile(r"\b(?:how|what) (?:else )?(?:can|may) i\b|\bwhat else (?:can|would)|\ben que\b")
# What was asked for is done: a success is told even where a good wish follows.
SUCCESS = re.compile(
    r"\b(?:is|are|was|were|been|have|has|'s|'ve) (?:now |just |all |successfully |already )*(?:confirmed|booked|"
    r"reserved|"
    r"purchased|bought|completed?|successful|scheduled|made|done|ordered|issued|sent|rented|placed|transferred|added|"
    r"confirmad[oa]s?|reservad[oa]s?|hech[oa]|enviad[oa]s?|comprad[oa]s?|agendad[oa])\b|\bsuccessfully\b|"
    r"\b(?:is|was) a success\b|"
    r"\bable to (?:book|reserve|buy|purchase|make|get)\b|"
    r"\b(?:you(?:'re| are)) all set\b"
)
# Questions that put a proposal to the other side.
PROPOSING = re.compile(
    r"\b(?:how|what) about\b|\bque tal si\b|\bhow (?:does|do|would) (?:that|this|it|they|these) (?:sound|look|work)|"
    r"\b(?:does|would|do|will) (?:that|this|it|they|one of these) (?:\w+ ){0,2}(?:work|sound|suit|interest|do|"
    r"be good)|"
    r"\bmay i (?:suggest|recommend)|\bi (?:wish to|would|'d) (?:suggest|recommend)|"
    r"\bwhat do you think (?:of|about)|(?:^|[.!?,] )\W*are you interested\b|\b(?:le|te) (?:parece|interesa|va) bien|"
    r"\bcomo (?:lo ve|te suena|le suena)"
)
ALTERNATIVES = re.compile(
    r"(?<!or )(?<!, )\b(?:anything|something|anyone|somewhere) else\b|\bwhat else (?:do|is|are|have)\b|"
    r"\b(?:other|another|different|more) (?:one|ones|options?|choices?|places?|times?|dates?)\b|\balternatives?\b|"
    r"\botr[oa]s? opcion(?:es)?\b|\balgo distinto\b"
)
# "Anything else?" alone asks for more of what was just proposed, or offers more help.
MORE_HELP_ALONE = re.compile(
    r"^\W*(?:(?:ok|okay|sure|great|good)\W+)?(?:is there )?(?:anything|something|algo) (?:else|mas)(?: \w+){0,2}\W*$"
)
SERVING = re.compile(
    r"\b(?:help|assist|need|i can|can i|may i|for you|would you like|do you want|shall i|puedo|desea|quiere|"
    r"necesita)\b"
)
TRY_IT = re.compile(
    r"\b(?:can|could|would|will) (?:you|u) (?:please )?(?:check|look|search|find|try|make|get|do|book)\b"
)
LEAVING = frozenset({"thanking", "acceptThanking", "initialGoodbye", "returnGoodbye"})
