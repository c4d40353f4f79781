"""Names that a cue gives away: "my name is", a title, a greeting line, a spelled-out word."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

from seed_engine.ordinary import is_ordinary
from seed_engine.recognizers.pattern import Pattern

_CAP = r"[A-ZÁÉÍÓÚÑÄÖÜÀÈÇŠŽŁØÅ][\w'’-]{1,24}"
_PARTICLE = r"(?:de(?: la| los| las| l')?|del|van(?: der| den)?|von|di|da|dos|bin|al|el|la|y|O') "
# Words that follow a name in letters and reports without being part of it.
_AFTER = r"(?!(?:Servicio|Hospital|Departamento|Jefe|Avda|Avenida|Calle|Unidad|Secci[oó]n|Centro|Cl[ií]nica|Instituto|Email|Tel|Phone|Date|MRN)\b|N[º°])"
_NAME = rf"{_AFTER}{_CAP}(?: (?:{_PARTICLE})?{_AFTER}(?:{_CAP}|[A-Z]\.)){{0,3}}"
_ANY = r"[^\W\d_][\w'’-]{1,24}"


def _unusual(value: str) -> bool:
    """Whether some word of a value is no ordinary one: "my name is not on the list" names nobody."""
    words = re.findall(r"[^\W\d_]+", value)
    return bool(words) and not is_ordinary(words[0].lower())


_COMMON_JA = (
    "皆 客 お客 患者 奥 神 皆様 仏 王 医 誰 同 両 各 医者 店長 店員 婆 爺 婆 父 母 兄 姉 弟 妹 娘 息子 孫 嫁 婿 主 社長 部長 課長 係"
    " 会長 院長 校長 教頭 園長 看護師 運転手 職人 大家 隣 業者 担当 担当者 利用者 相手 旦那 坊 赤 御父母 父母 スタッフ ナース"
    " ドクター ママ パパ オーナー マスター メーカー ユーザー ドライバー"
)
_NOT_NAMES_JA = frozenset(_COMMON_JA.split())

PATTERNS = (
    Pattern("title_en", "PERSON", re.compile(rf"\b(?P<v>(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Dame|Nurse|Judge|Capt|Rev|Sgt|Lt)(?:\. ?| ){_NAME})"), 0.85),
    Pattern("title_es", "PERSON", re.compile(rf"\b(?P<v>(?:Sra?|Srta|Dra?|Prof|Lic|Ing|D|Dña|Don|Doña|[Ss]eñora?|[Dd]octora?)(?:\. ?|: ?| )(?:[A-Z]\. ?){{0,2}}{_NAME})"), 0.85, None, None, frozenset({"es"})),
    Pattern("title_lower", "PERSON", re.compile(r"(?<![\w.])(?P<v>(?:mr|mrs|ms|dr|dra|sra|srta)\.? [a-zñáéíóú][\w'’-]{2,20})(?!\w)"), 0.6, lambda v: _unusual(v.split(" ", 1)[1])),
    Pattern("title_fr_de_nl", "PERSON", re.compile(rf"\b(?:M|Mme|Mlle|Me|Herr|Frau|Dhr|Mevr|Mw)\.? (?P<v>{_NAME})"), 0.8, None, None, frozenset({"fr", "de", "nl"})),
    Pattern("named_en", "PERSON", re.compile(rf"\b(?i:my (?:full |first |last |sur)?name(?: is|'s)|name is|i am called|the name on (?:it|the account) is) (?P<v>{_NAME})"), 0.7, _unusual),
    # Too many things follow "I am": alone it decides nothing, another recognizer must agree.
    Pattern("introduced_en", "PERSON", re.compile(rf"\b(?i:call me|this is|i am|i'm|im|speaking with) (?P<v>{_NAME})"), 0.45, _unusual),
    Pattern("named_en_lower", "PERSON", re.compile(rf"\b(?i:my (?:full |first |last |sur)?name(?: is|'s)) (?P<v>{_ANY}(?: {_ANY})?)(?=\s*(?:$|[.,;!?\n]| and\b| from\b| with\b| but\b| i\b))", re.IGNORECASE), 0.7, _unusual),
    Pattern("named_es", "PERSON", re.compile(rf"\b(?i:me llamo|mi nombre es|se llama|soy(?: el| la)?(?: señora?| doctora?| sra?\.?| dra?\.?)?|le habla|habla) (?P<v>{_NAME})"), 0.75, _unusual),
    Pattern("named_es_lower", "PERSON", re.compile(rf"\b(?:me llamo|mi nombre es) (?P<v>{_ANY}(?: {_ANY}){{0,2}}?)(?=\s*(?:$|[.,;!?\n]| y\b| de\b| con\b| pero\b))", re.IGNORECASE), 0.7, _unusual),
    Pattern("named_other", "PERSON", re.compile(rf"\b(?i:je m'appelle|mon nom est|mein name ist|ich heiße|ik heet|mijn naam is) (?P<v>{_NAME})"), 0.8),
    Pattern("named_ja", "PERSON", re.compile(r"(?:私は|名前は|わたしは)(?P<v>[一-龥]{2,6}(?:[ 　][一-龥ぁ-ん]{1,4})?)(?=です|と申し|といい)"), 0.8),
    Pattern("name_ja", "PERSON", re.compile(r"[一-龥]{1,4}(?=さん|様(?!々|子|式)|氏(?!名)|先生|くん|ちゃん)|[ァ-ヶー]{2,12}(?:[・＝][ァ-ヶー]{2,12}){0,3}(?=さん|様(?!々|子|式)|氏(?!名)|先生|くん|ちゃん)"), 0.6, lambda v: v not in _NOT_NAMES_JA, None, frozenset({"ja"})),
    Pattern("name_labelled", "PERSON", re.compile(rf"(?:^\ufeff?|\n|[|;] ?|[.] )(?:[*_]{{0,2}})(?i:(?:full |seller |patient |first |last |contact )?name|seller|patient|attending|nombre(?: y apellidos)?|apellidos|paciente|m[ée]dico|titular|remitido por|user ?name|employee|recipient|sender)(?:[*_]{{0,2}}): {{0,3}}(?P<v>(?:Dra?[.:]? ?)?{_AFTER}{_CAP}(?:,? (?:{_PARTICLE})?{_AFTER}(?:{_CAP}|[A-Z]\.)){{0,4}})"), 0.8, None, ":"),
    # "Item: ..." opens a line as well: another recognizer must half agree.
    Pattern("line_label", "PERSON", re.compile(rf"(?:^|\n)(?P<v>{_CAP}(?: {_CAP})?): (?=[A-Z¿¡])"), 0.45, _unusual, ": "),
    Pattern("speaker_label", "PERSON", re.compile(rf"(?:^|\n)(?P<v>{_CAP}(?: {_CAP})?) : (?=\S)"), 0.7, _unusual, " : "),
    Pattern("spelled", "PERSON", re.compile(r"(?<![\w-])(?:[A-Za-z]-){3,14}[A-Za-z](?![\w-])"), 0.6, lambda v: not is_ordinary(v.replace("-", "").lower())),
    Pattern("spelled_cued", "PERSON", re.compile(r"\b(?i:spelled|spelt|that's|last name|first name|surname|apellido|se escribe|deletreo)[ ,:]{1,3}(?P<v>(?:[A-Za-z][-., ]{1,2}){2,14}[A-Za-z])(?!\w)"), 0.8),
)  # fmt: skip
