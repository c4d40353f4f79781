"""Values for the frames of `detector_lines.py`: each slot's entity type and how a value of it is made."""

# ruff: noqa: E501, D102 - frames and value lists are read in one piece; a maker is named as the slot that it fills.
from __future__ import annotations

import random
import string
from collections.abc import Callable

from faker import Faker

LOCALES = {
    "en": "en_US en_US en_US en_GB en_IN en_IE en_CA fr_FR de_DE nl_NL it_IT pl_PL tr_TR sv_SE hu_HU pt_BR cs_CZ fi_FI ro_RO",
    "es": "es_ES es_ES es_MX es_CO es_AR es_CL",
    "fr": "fr_FR fr_FR fr_BE fr_CH",
    "de": "de_DE de_DE de_AT de_CH",
    "nl": "nl_NL nl_NL nl_BE",
}
HOMES = {"en": "en_US", "es": "es_ES", "fr": "fr_FR", "de": "de_DE", "nl": "nl_NL"}
MONTHS_WEST = {
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),  # noqa: SIM905
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),  # noqa: SIM905
    "nl": "januari februari maart april mei juni juli augustus september oktober november december".split(),  # noqa: SIM905
}
TITLES = {
    "es": ("Sr.", "Sra.", "Dr.", "Dra.", "doctor", "doctora", "don", "doña", "señora"),
    "fr": ("M.", "Mme", "Monsieur", "Madame", "Dr", "docteur", "le docteur", "Mlle"),
    "de": ("Herr", "Frau", "Dr.", "Prof.", "Herr Dr.", "Frau Dr."),
    "nl": ("meneer", "mevrouw", "Dhr.", "Mevr.", "dr.", "dokter"),
    "en": ("Mr.", "Mrs.", "Ms.", "Dr.", "Miss", "Mr", "Dr", "Prof.", "doctor"),
}
MORE_NAMES = """Wei Li|Sun Mingyuan|Zhang Min|Nguyen Thi Hoa|Kim Min-jun|Park Ji-woo|Hiroshi Tanaka|Yuki Sato|Aisha Mohammed|Omar Aziz
Fatima Zahra|Chidi Okafor|Kofi Mensah|Priya Sharma|Arjun Reddy|Abdul Rahman|Leilani Kealoha|Siobhan O'Neill|Tamika Washington
Dmitri Volkov|Olga Petrova|Ahmed Hassan|Mei Chen|Tran Van Minh|Ngozi Eze|Ifeoma Bello|Rania Haddad|Yusuf Demir|Bao Nguyen""".replace(
    "\n", "|"
).split("|")
DRUGS = [
    "ibuprofen",
    "lisinopril",
    "metformin",
    "omeprazole",
    "amoxicillin",
    "sertraline",
    "losartan",
    "atorvastatin",
    "warfarin",
    "prednisone",
    "zofran",
    "flagyl",
    "ozempic",
    "melatonin",
    "paracetamol",
    "ibuprofeno",
    "loratadina",
    "metformina",
    "levotiroxina",
    "enalapril",
    "gabapentin",
    "simvastatin",
    "insulin",
    "aspirin",
    "duloxetine",
    "esomeprazole",
    "tramadol",
    "diazepam",
    "furosemide",
]
EPONYMS = """Hashimoto|Babinski|Crohn|Parkinson|Alzheimer|Down|Raynaud|Achilles|Addison|Cushing|Hodgkin|Huntington|Bell's palsy|Graves
Lyme|Asperger|Tourette|Romberg|Murphy|Guillain-Barré|Sjögren|Kawasaki|Wilson's disease|Marfan|Barrett|Chagas""".replace(
    "\n", "|"
).split("|")
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
MONTHS_EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONTHS_ES = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
DIGIT_EN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
DIGIT_ES = ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"]


class Values:
    """Makes values; the same seed makes the same ones."""

    def __init__(self, language: str, rng: random.Random) -> None:
        self.rng, self.language, self.es = rng, language, language == "es"
        self.fakers = [Faker(name) for name in LOCALES[language].split()]
        for faker in self.fakers:
            faker.seed_instance(rng.randrange(10**9))
        self.home = Faker(HOMES[language])
        self.home.seed_instance(rng.randrange(10**9))
        names = [name for name in SLOTS if SLOTS[name]]
        self.recast()
        self.makers: dict[str, Callable[[], str]] = {name: getattr(self, name) for name in names}

    def recast(self) -> None:
        """Choose the two or three people of the next conversation's word problems: the same names return."""
        self.cast = [self.home.first_name() if self.rng.random() < 0.7 else self.first().split()[0] for _ in range(3)]

    def any(self) -> Faker:
        return self.rng.choice(self.fakers)

    def like(self, *shapes: str) -> str:
        """A random string of a shape: `#` digit, `@` capital, `*` capital or digit, `?` small letter."""
        kinds = {
            "#": string.digits,
            "@": string.ascii_uppercase,
            "*": string.ascii_uppercase + string.digits,
            "?": string.ascii_lowercase,
        }
        return "".join(self.rng.choice(kinds[c]) if c in kinds else c for c in self.rng.choice(shapes))

    def full(self) -> str:
        if self.rng.random() < 0.15:
            return self.rng.choice(MORE_NAMES)
        faker = self.any()
        first, last = faker.first_name(), faker.last_name()
        middle = f" {self.rng.choice(string.ascii_uppercase)}." if self.rng.random() < 0.1 else ""
        if self.es and self.rng.random() < 0.6:
            return f"{first} {last} {faker.last_name()}"
        return f"{last}, {first}" if self.rng.random() < 0.05 else f"{first}{middle} {last}"

    def first(self) -> str:
        return self.rng.choice(MORE_NAMES).split()[-1] if self.rng.random() < 0.08 else self.any().first_name()

    def last(self) -> str:
        return self.any().last_name()

    def initialled(self) -> str:
        first, last = self.any().first_name(), self.any().last_name()
        return self.rng.choice(
            (f"{first} {last[0]}.", f"{first[0]}. {last}", f"{first[0]}.{last[0]}.", f"{first} {last}", first)
        )

    def titled(self) -> str:
        titles = TITLES[self.language]
        return f"{self.rng.choice(titles)} {self.last() if self.rng.random() < 0.8 else self.full()}"

    title = titled

    def spelled(self) -> str:
        name = self.rng.choice((self.last, self.first))().split()[0]
        return self.rng.choice(("-", " ", ". ", ", ")).join(name.upper() if self.rng.random() < 0.7 else name.lower())

    def date(self) -> str:
        r = self.rng
        d, m, y = r.randint(1, 28), r.randint(1, 12), r.randint(1935, 2026)
        if self.language in MONTHS_WEST:
            name = MONTHS_WEST[self.language][m - 1]
            stop = "." if self.language == "de" else ""
            return r.choice(
                (
                    f"{d}{stop} {name} {y}",
                    f"{d}{stop} {name}",
                    f"{d:02}/{m:02}/{y}",
                    f"{d}.{m}.{y}",
                    f"{d:02}-{m:02}-{y}",
                    f"{name} {y}",
                )
            )
        name = (MONTHS_ES if self.es else MONTHS_EN)[m - 1]
        short = name[:3]
        if self.es:
            return r.choice(
                (
                    f"{d} de {name} de {y}",
                    f"{d} de {name}",
                    f"{d:02}/{m:02}/{y}",
                    f"{d}/{m}/{y}",
                    f"{d}-{m}-{y % 100:02}",
                    f"{name} de {y}",
                    f"{d} de {name} del {y}",
                    f"{y}-{m:02}-{d:02}",
                )
            )
        th = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(d, "th")
        return r.choice(
            (
                f"{name} {d}, {y}",
                f"{m}/{d}/{y}",
                f"{m:02}/{d:02}/{y}",
                f"{y}-{m:02}-{d:02}",
                f"{d} {name} {y}",
                f"{name} {d}{th}",
                f"{short} {d}",
                f"{short} {d}, {y}",
                f"{name} {y}",
                f"the {d}{th} of {name}",
                f"{d}-{m}-{y % 100:02}",
                f"{d} {short} {y}",
                f"{m:02}/{d:02}",
                f"{name} {r.choice(ORDINALS)}",
                f"{d}/{m}/{y % 100:02}",
                f"{short} {d}{th}, {y}",
                f"{d}.{m}.{y}",
                f"{short} {d} '{y % 100:02}",
            )
        )

    def age(self) -> str:
        return str(self.rng.randint(1, 97))

    def street(self) -> str:
        return self.any().street_address().replace("\n", ", ")

    def address(self) -> str:
        return self.any().address().replace("\n", self.rng.choice((", ", "\n", " ")))

    def city(self) -> str:
        return self.any().city()

    def state(self) -> str:
        return self.home.state() if self.language == "en" else self.any().city()

    def country(self) -> str:
        return self.home.country()

    def postcode(self) -> str:
        return self.any().postcode()

    def hospital(self) -> str:
        r, es = self.rng, self.es
        if es:
            return r.choice(
                (
                    f"Hospital {self.full().split()[-1]}",
                    f"Hospital Universitario de {self.city()}",
                    f"Hospital Virgen de {self.city()}",
                    f"Clínica {self.last()}",
                    f"Centro de Salud {self.city()}",
                )
            )
        if self.language in MONTHS_WEST:
            kinds = {
                "fr": ("hôpital {}", "CHU de {}", "clinique {}"),
                "de": ("Klinikum {}", "Krankenhaus {}", "Uniklinik {}"),
                "nl": ("ziekenhuis {}", "kliniek {}", "UMC {}"),
            }
            return r.choice(kinds[self.language]).format(self.city())
        return r.choice(
            (
                f"{self.city()} General Hospital",
                f"St. {self.first()} Hospital",
                f"{self.last()} Clinic",
                f"{self.city()} Medical Center",
                f"{self.last()} Memorial",
                "Johns Hopkins",
                "Mayo Clinic",
                "UCLA",
                f"the {self.city()} clinic",
                f"{self.last()} Health",
                "Cedar Creek",
                f"{self.city()} ER",
            )
        )

    def venue(self) -> str:
        """A place to go to, named after somebody, something or a number."""
        word = self.rng.choice((self.last(), self.city(), self.home.word().title(), self.home.color_name()))
        return self.rng.choice(VENUES).format(word, self.rng.randint(2, 99))

    def org(self) -> str:
        return self.any().company()

    def school(self) -> str:
        kinds = (
            ("Colegio {}", "IES {}", "Instituto {}")
            if self.es
            else ("{} High School", "{} Elementary", "{} Academy", "{} Middle School", "{} University")
        )
        return self.rng.choice(kinds).format(self.last())

    def email(self) -> str:
        return self.any().email() if self.rng.random() < 0.7 else f"{self.user()}@{self.any().domain_name()}"

    def email_spoken(self) -> str:
        local, domain = f"{self.home.user_name()}@{self.home.free_email_domain()}".split("@")
        at, dot = (" arroba ", " punto ") if self.es else (" at ", " dot ")
        return local.replace(".", dot) + at + domain.replace(".", dot)

    def phone(self) -> str:
        if self.rng.random() < 0.35:
            return self.like(
                "##########",
                "###-###-####",
                "(###) ###-####",
                "+1 ### ### ####",
                "###.###.####",
                "### ### ###",
                "6## ## ## ##",
                "+34 6########",
                "+44 7### ######",
                "0### #######",
                "### ####",
            )
        return self.any().phone_number()

    def phone_spoken(self) -> str:
        words = DIGIT_ES if self.es else DIGIT_EN
        digits = [self.rng.choice(words) for _ in range(9 if self.es else 10)]
        if self.rng.random() < 0.4:
            digits = ["oh" if d == "zero" else d for d in digits]
        return " ".join(digits)

    def card(self) -> str:
        number = self.home.credit_card_number()
        return (
            number
            if self.rng.random() < 0.5
            else self.rng.choice((" ", "-")).join(number[i : i + 4] for i in range(0, len(number), 4))
        )

    def account(self) -> str:
        return self.like("########", "##########", "############", "####-####-####", "#########", "## ######## ##")

    def iban(self) -> str:
        value = self.any().iban()
        return value if self.rng.random() < 0.6 else " ".join(value[i : i + 4] for i in range(0, len(value), 4))

    def user(self) -> str:
        base = self.home.user_name()
        return self.rng.choice(
            (
                base,
                f"{base}_{self.like('##')}",
                f"{self.like('????')}.{base}",
                f"{base}_xo",
                f"x{base}99",
                f"{self.first().split()[0].lower()}{self.like('###')}",
            )
        )

    def password(self) -> str:
        return (
            self.home.password(length=self.rng.randint(8, 15))
            if self.rng.random() < 0.8
            else f"{self.first()}{self.like('####')}!"
        )

    def plate(self) -> str:
        return self.like("#### @@@", "@@@ ####", "@@## @@@", "@@@-####", "#@@@###", "##-@@##", "@@@ @##")

    def order(self) -> str:
        return self.like(
            "########", "######", "@@-######", "ORD-#####", "@@@######", "##########", "###-#######-#######", "#@*****"
        )

    def mrn(self) -> str:
        return self.like(
            "######",
            "#######",
            "########",
            "MRN#######",
            "@@######",
            "##-##-##",
            "###-##-###",
            "*******",
            "###-######",
            "#####-@",
            "## ## #####",
        )

    def studentid(self) -> str:
        return self.like("#########", "S#######", "########", "#######")

    def url(self) -> str:
        return (
            self.any().url()
            if self.rng.random() < 0.5
            else f"https://{self.rng.choice(('zoom.us/j/', 'meet.example.com/', 'www.facebook.com/', 'linkedin.com/in/'))}{self.like('##########')}"
        )

    def ip(self) -> str:
        return self.home.ipv4() if self.rng.random() < 0.8 else self.home.ipv6()

    def mac(self) -> str:
        return self.home.mac_address()

    def vin(self) -> str:
        return self.like("*****************")

    def __getattr__(self, name: str) -> Callable[[], str]:
        if name not in SHAPES:
            raise AttributeError(name)
        return lambda: self.like(*SHAPES[name])

    def ordinary(self, name: str) -> str:
        """A value for a `<word>` of a frame: looks like data, belongs to nobody."""
        r = self.rng
        made = {
            "num": lambda: str(r.choice((r.randint(0, 12), r.randint(0, 60), r.randint(0, 999), r.randint(0, 5000)))),
            "year": lambda: str(r.randint(1492, 2024)),
            "Name": lambda: r.choice(self.cast),
            "Last": lambda: self.home.last_name(),
            "drug": lambda: r.choice(DRUGS),
            "eponym": lambda: r.choice(EPONYMS),
            "code": lambda: self.like("@#", "@##", "@-#", "@###", "@### Pro", "####-@", "@@-##", "E##"),
            "CODE": lambda: self.like("@@@@@##", "@@@@##", "SUMMER##", "MARCH##", "VERANO##", "@@@@@@"),
            "ver": lambda: self.like("#.#", "#.##.#", "#.#.#", "#.#-rc.#", "v#.#"),
        }
        return made[name]()


VENUES = """the {0}|{0} Tower|{0} Arena|{0} Park|{0} Library|{0} Stadium|the {0} Theater|{0} Museum|Cafe {0}|{0} Grill|{0} {1}|Hotel {0}|the {0} Inn
{0} Hall|{0} Mall|Club {0}|{0} Beach|{0} Lake|Mount {0}|{0} Bridge|{0} Airport|{0} station|{0} Gym|{0} Pizza|{0} House|{0} Field|the {0} Center""".replace(
    "\n", "|"
).split("|")

SHAPES = {
    "nir": ("#############", "# ## ## ## ### ### ##", "###############"),
    "sortcode": ("##-##-##",), "ifsc": ("@@@@0######",), "swift": ("@@@@@@##", "@@@@@@*****"), "ssn": ("###-##-####", "### ## ####", "#########"),
    "natid": ("########", "#########", "###########", "@@-ID-#######", "###-##-####", "#.###.###-#"), "nino": ("@@######@", "@@ ## ## ## @"),
    "aadhaar": ("#### #### ####", "############"), "pan": ("@@@@@####@",), "taxid": ("##-#######", "###-##-####"), "nhs": ("### ### ####", "##########"),
    "employee": ("ID-*******", "EMP#####", "E######"), "passport": ("@########", "#########", "@@#######", "@#######"),
    "licence": ("@#######", "########", "@###-####-####", "US-DL-########", "@@@@@######@@#@@", "@## ### ###"), "insurance": ("@@@########", "#########", "@@@-###-####", "#@@#-@@#-@@##", "W#########"),
    "caseno": ("#####/##", "##/####", "@-####-##"), "pin": ("####", "######"), "apikey": ("sk-????????????????????", "AKIA****************", "ghp_????????????????????"),
    "dni": ("########@", "########-@"), "nie": ("@#######@", "X-#######-@"), "curp": ("@@@@######@@@@@@##",), "rfc": ("@@@@######***",), "nass": ("## ########", "## ######## ##", "############"),
}  # fmt: skip

SLOTS = {
    **dict.fromkeys(["full", "first", "last", "initialled", "title", "spelled"], "PERSON"),
    **dict.fromkeys(["street", "address", "city", "state", "country", "postcode", "hospital", "venue"], "LOCATION"),
    **dict.fromkeys(["org", "school"], "ORGANIZATION"),
    **dict.fromkeys(["email", "email_spoken"], "EMAIL_ADDRESS"),
    **dict.fromkeys(["phone", "phone_spoken"], "PHONE_NUMBER"),
    **dict.fromkeys(["account", "iban", "sortcode", "ifsc", "swift"], "BANK_ACCOUNT"),
    **dict.fromkeys(["ssn", "natid", "nino", "aadhaar", "pan", "taxid", "nhs", "employee", "dni", "nie", "curp", "rfc", "nass", "nir"], "NATIONAL_ID"),
    **dict.fromkeys(["plate", "vin"], "VEHICLE_ID"),
    **dict.fromkeys(["ip", "mac"], "IP_ADDRESS"),
    **dict.fromkeys(["order", "studentid", "caseno"], "ID_OTHER"),
    **dict.fromkeys(["password", "pin", "apikey"], "PASSWORD"),
    "date": "DATE_TIME", "age": "AGE", "card": "CREDIT_CARD", "passport": "PASSPORT", "licence": "DRIVER_LICENSE",
    "insurance": "INSURANCE_ID", "mrn": "MEDICAL_RECORD", "user": "USERNAME", "url": "URL",
}  # fmt: skip
