"""Sentence frames that the detector's training conversations are made of; all written for this project.

`{slot}` is filled by `detector_values.py` and becomes a labelled span; `<word>` is filled and stays ordinary text.
"""

# ruff: noqa: E501 - frames and value lists are read in one piece.
PERSONAL_EN = """
my name is {full}|hi im {first}|hi, i'm {first}|this is {full} calling|this is {first} btw|it's {full}|i am {full}, {age} years old
hi {first}, how can i help you today?|hello {first}|thanks {first}!|Thank you, {title}.|ok {first}, one moment|good job {first}! let's keep going
Good morning {title}, what brings you in today?|Dear {first},|Regards,\\n{full}|Best,\\n{first}|{full} here|Hey {first}, {first} told me you were out sick
my daughter {first} has had a fever since {date}|my husband {first} called yesterday|my son {first} is {age}|my wife {full} is on the account too
can you call my mom {first} at {phone}?|my mother's name is {full}|my teacher {title} said 3/4 is bigger|{title} is absent today|{first} got <num> too
name is {full}, spelled {spelled}|it's {spelled}|last name {last}, {spelled}|the name on the account is {full}|is {first} there?|ask for {first} at the desk
Patient {full}, dob {date}, mrn {mrn}|the patient, {full}, was admitted to {hospital} on {date}|seen at {hospital} on {date} (MRN: {mrn})|{full}, a <num>-year-old male seen by {title}
What are the treatment options for a <num>-year-old female, {initialled}, seen at {hospital} on {date}?|Recommended dose for {title} (MRN {mrn}), last visit {date}?
my date of birth is {date}|i was born on {date} so im {age}|born {date} in {city}|dob {date}|DOB: {date}|date of birth? {date}|appointment is on {date}|since {date}|due on {date}
My birthday is {date}|it was delivered on {date}|i started the pills on {date}|the surgery was {date}|she turned {age} on {date}|Date: {date}|invoice dated {date}
i'm {age}|he is {age} years old|she's {age} yo|age {age}|Age: {age}|a {age} year old woman named {first}|my {age}-year-old son {first}
i live at {street}|i live at {street} in {city}|my address is {address}|ship it to {address}|send it to {full}, {address}|address: {address}|we moved to {street}, {city}
i'm in {city}|i'm calling from {city}|we live in {city}, {state}|the clinic in {city}|zip is {postcode}|zip code {postcode}|postcode {postcode}|Location: {city}|{city} {postcode}
My street is {street}|the store on {street}|flying from {city} to {city}|i was born in {city}, {country}|moved here from {country}|the weather in {city} is awful|hotel near {street}
my email is {email}|email me at {email}|{email}|it's {email_spoken}|reach me at {email} or {phone}|you can write to {email}|login email {email}|contact: {email}
my number is {phone}|call me at {phone}|{phone}|it's {phone_spoken}|my cell is {phone_spoken}|phone: {phone}|text me on {phone} after <num>|tel {phone}|Contact: {phone} / {email}
card number {card}|my card is {card}|it's {card}, exp <num>/<num>|visa {card}|ending in <num>, full number {card}|the account number is {account}|account {account}|acct # {account}
iban {iban}|my IBAN is {iban}|transfer to {iban}|routing {account}|sort code {sortcode} account {account}|bank account {account} at {org}|IFSC: {ifsc}|swift {swift}
my social is {ssn}|ssn {ssn}|social security number: {ssn}|last four of my social, full is {ssn}|national id {natid}|my NI number is {nino}|aadhaar {aadhaar}|PAN {pan}|tax id {natid}
National ID {natid} registered in {state}.|Tax number {taxid} appears on the {org} filing.|NHS number {nhs}|Employee ID card {employee} grants access to {org}.|nhs no {nhs}
passport number {passport}|my passport is {passport}|Passport {passport} issued to {full} from {country}.|travel document {passport}|missing passport {passport} attribute
driver's license {licence}|my license number is {licence}|driving licence {licence} expires {date}|DL {licence}|licence no. {licence}
my member id is {insurance}|insurance id {insurance}|policy number {insurance}|medicare {insurance}|group {insurance}|health plan id: {insurance}|claim {insurance}
mrn {mrn}|medical record {mrn}|chart number {mrn}|patient id {mrn}|my student id is {studentid}|student number {studentid}|case no. {caseno}|application no. {caseno}
order {order}|order number is {order}|ticket {order}|tracking {order}|my reference is {order}|Booking ref {order}|customer number {order}|serial {order}|account ref {order}
my username is {user}|username {user}|user: {user}|i log in as {user}|my handle is @{user}|@{user} did you see this|gamertag {user}|login {user} password {password}|Username: {user}
the password is {password}|my password is {password}|password: {password}|pw {password}|Reset password {password} for {user}|temp password {password}|pin {pin}|my PIN is {pin}|api key {apikey}|token {apikey}
license plate {plate}|my plate is {plate}|plate {plate}|the car, reg {plate}|VIN: {vin}|vin {vin}|vehicle {vin}|Dr. {last} ({email}) owns license plate {plate}.
my ip is {ip}|it says ip {ip}|logged in from {ip}|mac address {mac}|please rejoin with this link: {url}|my page is {url}|see {url}|{url}|website {url}
i work at {org}|i work for {org}|my employer is {org}|hi im {first} from {school}|i go to {school}|insurance through {org}|{first} from {org}|{full}, {org}|the {org} account
{full} and {full} are both on the lease|{first} and {first} were there|{first}'s mom picked us up|{last} v. {last}|Mr {last}, a lawyer practising in {city}|{full} was born in <year> and lives in {city}
Seller: {full}\\nLocation: {city}\\nContact: {phone}|{full} ({email})|{full}\\n{street}\\n{city} {postcode}\\n{country}|From: {email}\\nTo: {email}|Sent by {full} on {date}|cc {first}
{full}\\n\\nPhone: {phone}\\nE-mail: {email}\\nAddress: {address}|Name: {full}|Patient name: {full}|Full name: {full}|First name: {first} Last name: {last}|Attending: {title}|Nurse: {full}
meet {first} at {hospital}|my doctor is {title}|{title} prescribed it|referred by {title}|Dr {last} at {hospital}|the nurse, {first}, took my blood|emergency contact {full}, {phone}
{first} : spent the night fixing this|{first}: ok then|{first} : Has anyone seen this error?|{first} — getting married today|two {first}s in one class|{first} helped me, {first} did not|{full} and his brother {first}|thx {first} u r the best|{first} come here|i told {first} to wait|{first} is late again
show mobile number of {first}|any new emails from {first}|remind me to call {first}|email {first} about the meeting|what's {full}'s address|play something by {full}|directions to {city}|what time is it in {city}
i saw {full} live in {city}|RT @{user} : {first} is so funny|just met {full} at {street}|Happy birthday {first} !|love u {first}|{city} tomorrow !!|{first} > {first}|watching {full} with {first}
dinner at {venue} tonight|meet me at {venue}|we stayed at {venue}|see u at {venue} @ <num> pm|live at {venue} in {city}|{venue} was so good|anyone been to {venue}?|{venue} in {city} is closed|try {city}, it's lovely|we love {venue}|next stop {city}
{first} & {first} ftw|omg {first} is back|miss u {full} :(|{first} u there?|new song by {full} ft {full}|{full} vs {full} was insane|so {first} says no|what happened to {first}'s car|i need {first} to call me|{last} scored again|go {last}!|{first} you are so funny
{first} is killing it rn|hey {first} will u do another one|like if you love {full}|rip {full}|{full} for president|my bro {first}|team {first}|happy bday {first} <num> today|{first}, {first} and me at {venue}|thinking about {city} and {first}|back in {city} with {first}
""".strip()

PERSONAL_ES = """
me llamo {full}|soy {first}|hola, soy {full}|le habla {full}|mi nombre es {full}|habla {first} de {org}|soy {full} y tengo {age} años|hola {first}, ¿en qué puedo ayudarte?
gracias {first}|Buenos días {title}|gracias, {title}|muy bien {first}, sigamos|un momento {first}|Estimado {title}:|Atentamente,\\n{full}|Saludos,\\n{first}
mi hija {first} tiene fiebre desde el {date}|mi marido {full} llamó ayer|mi hijo {first} tiene {age} años|mi esposa se llama {full}|la mamá de {first}|mi madre, {full}, está ingresada en {hospital}
¿puede llamar a mi madre {first} al {phone}?|el profe {last} dijo que sí|{title} no está hoy|a {first} también le dio <num>|se escribe {spelled}|mi apellido es {last}, {spelled}
Paciente: {full}. NHC: {mrn}.|Paciente de {age} años de edad|varón de {age} años|mujer de {age} años que ingresa el {date}|Nombre: {first}. Apellidos: {last} {last}.|Médico: {full} NºCol: {mrn}
nací el {date}|mi fecha de nacimiento es {date}|fecha de nacimiento: {date}|nacida el {date} en {city}|la cita es el {date}|llegó el {date}|desde el {date}|me operaron el {date}|cumple {age} el {date}
tengo {age} años|tiene {age} añitos|Edad: {age} años|edad {age}|mi hijo de {age} años|una señora de {age} años llamada {first}
vivo en {street}|vivo en {street}, {city}|mi dirección es {address}|envíelo a {address}|Domicilio: {street}.|dirección: {address}|código postal {postcode}|CP: {postcode}|el cp es {postcode}
vivo en {city}|soy de {city}|llamo desde {city}|la clínica de {city}|Localidad/ Provincia: {city}.|viajo de {city} a {city}|nos mudamos a {city}, {country}|vengo de {country}|País: {country}.
mi correo es {email}|escríbame a {email}|{email}|es {email_spoken}|correo electrónico: {email}|Correspondencia: {full}, {street}, {postcode} {city}. {email}|mi email es {email} o al {phone}
mi número es {phone}|llámeme al {phone}|mi teléfono es {phone}|es el {phone_spoken}|móvil {phone}|tel. {phone}|mi celular {phone}|whatsapp {phone}
tarjeta {card}|mi tarjeta es {card}|cuenta {account}|número de cuenta {account}|IBAN {iban}|mi iban es {iban}|CLABE {account}|la transferencia a {iban}
mi DNI es {dni}|dni {dni}|NIE {nie}|mi nie es {nie}|CURP {curp}|mi curp es {curp}|RFC {rfc}|NASS: {nass}|número de seguridad social {nass}|cédula {natid}
pasaporte {passport}|mi pasaporte es {passport}|número de pasaporte {passport}|carnet de conducir {licence}|licencia {licence}|matrícula {plate}|mi matrícula es {plate}|bastidor {vin}
número de historia {mrn}|NHC {mrn}|historia clínica {mrn}|mi póliza es {insurance}|tarjeta sanitaria {insurance}|número de afiliado {insurance}|CIPA {insurance}
pedido {order}|mi pedido es el {order}|número de pedido {order}|referencia {order}|el localizador es {order}|expediente {caseno}|matrícula de alumno {studentid}|mi id de estudiante es {studentid}
mi usuario es {user}|usuario {user}|mi contraseña es {password}|la clave es {password}|contraseña: {password}|el pin es {pin}|mi ip es {ip}|entra en {url}|@{user} ¿lo viste?
trabajo en {org}|trabajo para {org}|estudio en {school}|hola soy {first} del {school}|la empresa {org}|Hospital: {hospital}.|ingresado en {hospital}|me atendió {title} en {hospital}
{full} y {full} firman el contrato|{first} y {first} vinieron|la abogada {full}|Servicio de Urología. {hospital}. {city}.|enviado por {full} el {date}|Remitido por: {full}. {street}. {postcode} {city}. {country}.
Nombre: {full}|Titular: {full}|Nombre y apellidos: {full}|contacto de emergencia {full}, {phone}|mi médico es {title}|me recetó {title}|la enfermera {first}|derivado por {title}
""".strip()

CLEAN_EN = """
good morning|good afternoon|Good evening.|hi|hello|hi there|hey|thanks!|thank you so much|you're welcome|no problem|bye|have a nice day|see you tomorrow|see you monday|ok|okay|sure|yes|no|great|perfect|lol|ugh|hmm
how can i help you today?|what seems to be the problem?|may i have your name please?|can you confirm your date of birth?|what is your email address?|could you spell your last name?|what's your phone number?
let me check that for you|one moment please|can you hold for <num> minutes?|i'll be right back|anything else i can help with?|please confirm your address|thanks for waiting|i have updated the address|your account is verified
i ordered <num> days ago and it still hasn't arrived|my order is late|the package is stuck in transit|can i return opened items|is it in stock|do you ship internationally|the box was damaged|refund takes <num> to <num> days
the app crashes when i open settings|error <code> on the screen|i get a <num> error|version <ver> broke it|does <ver> fix bug #<num>?|line <num> throws an exception|NullPointerException at line <num>|the build fails with exit code <num>
is the <code> compatible with the <code>?|the manual says section <ver>|page <num>|part <code>|model <code>|the <num>W charger|usb <ver> cable|<num> GB of storage|speed is <num> mbps|coupon <CODE> doesn't work|try code <CODE>
i was charged twice|$<num> on my card|it cost <num> dollars|the price is <num>.<num>|<num>% off|can i pay by card|which card do you take|is visa ok|the invoice shows <num>|monthly plan is $<num>|cancel my subscription
they arrive between <num> and <num>|by thursday|on friday morning|next week|in two weeks|last month|tomorrow at <num> pm|the day after tomorrow|every monday|this weekend|since last year|at <num>:<num>|for <num> hours|half an hour
it's <num> cm wide|<num> mm|<num> lbs|<num> rpm|<num> degrees|it weighs <num> kg|torque <num> Nm|the filter is <code>|press button <num>|unplug it for <num> seconds|turn it off and on|reset the router
my blood pressure was <num>/<num>|bp <num>/<num> this morning|take <num> mg twice a day|<num> mg of <drug>|does <drug> cause cough|is <drug> the same as <drug>?|i stopped <drug> last week|switch to <drug> <num> mg|<drug> didn't help
i have a headache for <num> days|pain is <num> out of 10|fever of <num>.<num>|my temperature was <num>.<num>|any allergies?|no chest pain|any shortness of breath?|does it hurt when you breathe?|it started <num> weeks ago
my a1c is <num>.<num>|cholesterol <num>|hemoglobin <num>.<num>|gfr <num>|inr <num>.<num>|the mri shows a bulge at L4-L5|<num> weeks pregnant|o2 sat <num>|<num> steps a day|is it <eponym>?|it looks like <eponym>|a <eponym> sign
your test results are normal|we'll repeat the test in three months|drink plenty of water|rest until monday|come back in two weeks|call 911 if it gets worse|avoid alcohol|take it with food|the doctor will see you now|he is stable
What are the guidelines for <drug> in a <num>-year-old male with diabetes?|management of hypertension in a <num> year old woman|<num>yo male with chest pain, what next?|latest evidence on <drug> vs <drug>|dose of <drug> in renal failure
solve for x: <num>x + <num> = <num>|what is <num> times <num>?|<num> / <num> = <num>|the answer is <num>|<num> + <num> is <num>|sin <num>|log2(<num>)|y = <num>x - <num>|(x+<num>)(x-<num>)|is it 0.<num>?|the slope is -<num>|r = <num>
<Name> has <num> apples and gives <num> to <Name>. how many are left?|<Name> and <Name> share <num> marbles in ratio <num>:<num>|so <Name> gets <num> and <Name> gets <num>|If <Name> runs <num> m in <num> s what's the speed?
<Name> is <num> times as old as <Name>|<Name> buys <num> pens for $<num> each|then <Name> pays $<num>|<Name> would have <num> left, since <Name> ate <num>|Ms. <Name>'s class has <num> students. each student needs <num> pencils.
<Name> saved <num> dollars in <num> weeks, how much per week|let <Name> be x|a train leaves at <num>:<num>|<Name> walks <num> miles a day for <num> days|how many did <Name> start with?|we need <Name>'s total|<Name> bought <num> nose sprays
what year did ww2 end|it ended in 1945|in <year>|the war of <year>|chapter <num> exercise <num>|problems <num>-<num>|my exam is next week|homework is due tomorrow|hamlet kills polonius|shakespeare wrote macbeth|who wrote don quixote
newton's second law|ohm's law is V = IR|the pythagorean theorem|use bayes' rule|euler's formula|einstein's relativity|what did darwin say|photosynthesis in leaves|H2O + CO2|the mitochondria|a haiku has <num> syllables|f(<num>) = <num>
i feel blue|may i ask something|will it work|mark the box|the rose one|a grace period of <num> days|march on|he can bill me|i hope so|joy!|it was fun|the sun is out|an amber light|pat it dry|jack the price up|summer sale|my chase plan
google it|open excel|the iphone app|windows update|on my android|alexa won't respond|netflix is slow|check facebook|a zoom call|python script|the nintendo|use bluetooth|install chrome|a tesla charger|coca cola|the amazon app|tide pods
play some jazz|set an alarm for <num> am|what's the weather|turn on the lights|add milk to my list|what time is it|start the vacuum|remind me tomorrow|delete all alarms|play the next song|is it going to rain|lower the volume
we won <num>-<num>|we lost <num> to <num>|rate it <num> of 10|i'm number <num> in the queue|<num> people|room <num>|floor <num>|lane <num>|bus <num>|gate <num>|table for <num>|<num> times|step <num>|question <num>|<num>!|<num>
After the restart, <Name> had to download the rest from the beginning|<Name> started with <num> cards and lost <num>|In total <Name> needs to roll <num> to have an average of <num>|To have an average of <num>, <Name> would need <num>
Mr. <Last> arrives at the first station at <num>:<num>|Mrs. <Last> bakes <num> cookies for her <num> students|how long does it take Mr. <Last> to get to work?|That is correct, so <Name> has <num> left|So we know that <Name> solved <num> math problems
I figured that <Name> solved <num> times as many problems today|since <Name> practiced twice as many as <Name>, who practiced <num>|what total would <Name> need?|re-read the question. we know that <Name> has <num>|Exactly. now go back to <Name>. how many did she pay for?
<Name>'s mother gave him $<num>. he spent <num>.|First, <Name> walks <num> km. Then <Name> runs <num> km.|<Name>, <Name> and <Name> split the bill|the cost for <Name> is <num> x <num> = $<num>|Then <Name> has to restart|How much older is <Name> than <Name>?|each of <Name>'s <num> friends gets <num>
macbeth kills duncan|romeo and juliet|ophelia dies in act <num>|hamlet's father|gatsby loves daisy|in 1984 winston rebels|atticus defends tom robinson|scout and jem|odysseus sails home|zeus and hera|what does juliet say|plato taught aristotle|napoleon lost at waterloo|newton, leibniz and gauss
lincoln gave the speech|caesar crossed the rubicon|marie curie found radium|the amber and the jade one|ruby or pearl?|the olive green|coral is sold out|jasmine tea|a basil leaf|violet or rose|hazel eyes|a lily in the vase|the brook runs north|mercury and venus are planets|saturn has rings|earth orbits the sun
in europe|in asia and africa|the us economy|american history|the french revolution|the pressure is in Pa|i had kPa|<num> kPa|<num> N|<num> Pa|<num> Hz|<num> mol|<num> V / <num> Ω|<num> kJ|pH <num>|Ca and Mg ions|e.g. the first one|i.e. twice|vs. the other|etc.|spell it: n-e-c-e-s-s-a-r-y|b-e-c-a-u-s-e
<num> days ago|<num> years ago|<num>GB file|error 0xAF3|HTTP <num> timeout|session expired|case closed|user not found|your ID is invalid|the zip is wrong|the part number is on the back|ISBN on page <num>|build <num>|commit <num>|see RFC <num>|fiscal year <year>|the corner shop|at the office|the best city|a nice place
marker ■■■■■■■■■■■ is on the line|hi ■■■■■■■■■■■|hello, this is ■■■■■■■■■■■■|my name is ■■■■■■■■■■■ and i need help|born on ■■■■■■■■|i live at ■■■■■■■■■■■■, please update it|call me at ■■■■■■■■■ tomorrow|thanks ■■■■■■■■■■■, bye
""".strip()

CLEAN_ES = """
buenos días|buenas tardes|hola|hola, buenas|gracias|muchas gracias|de nada|adiós|hasta mañana|nos vemos el lunes|vale|sí|no|perfecto|genial|claro|un momento|jaja|listo|ok profe|uf|vaya
¿en qué puedo ayudarle?|¿me dice su nombre?|¿cuál es su fecha de nacimiento?|¿me confirma la dirección?|¿cuál es su correo?|¿qué le pasa?|¿desde cuándo?|gracias por esperar|ya está actualizado|¿algo más?
mi pedido no llega|salió hace <num> días|llega mañana antes de las <num> h|el paquete está en reparto|quiero devolverlo|¿hay stock?|me cobraron dos veces|son <num> euros|<num>,<num> euros|el cupón <CODE> no va|use <CODE>
la app se cierra sola|sale el error <code>|la versión <ver> arregla eso|página <num> del manual|la pieza <code>|el modelo <code>|<num> GB libres|reinicie el router|desenchúfelo <num> segundos|el lavavajillas marca <code>|inclínelo <num> grados
el lunes|el próximo jueves|la semana que viene|dentro de dos semanas|ayer por la tarde|esta noche|a las <num>:<num>|cada <num> horas|hace un mes|desde el año pasado|mañana a las <num>|durante <num> días|por la mañana
la tensión me dio <num>/<num>|tome <num> mg cada <num> horas|<num> mg de <drug>|¿el <drug> da tos?|dejé el <drug> la semana pasada|me duele la cabeza|un <num> de 10|tengo fiebre, <num>,<num>|la glucosa me dio <num>|hemoglobina <num>,<num>
¿es alérgico a algo?|no tengo alergias|beba agua|repose hasta el lunes|vuelva en dos semanas|la resonancia sale normal|ibuprofeno de <num>|¿qué es la enfermedad de <eponym>?|signo de <eponym> negativo|sin antecedentes de interés|la exploración es normal
cuánto es <num> por <num>|<num> + <num> = <num>|x = <num>|la respuesta es <num>|<num>/<num> de <num>|resuelve la ecuación|la ley de ohm|el teorema de pitágoras|el tema <num>|ejercicio <num> de la página <num>|el examen es la próxima semana
<Name> y <Name> reparten <num> cromos en <num>:<num>|<Name> tiene <num> manzanas y le da <num> a <Name>|entonces <Name> <num> y <Name> <num>|¿cuántas le quedan a <Name>?|<Name> compra <num> lápices a <num> euros|si <Name> corre <num> m en <num> s
cervantes escribió el quijote|la guerra civil empezó en 1936|en <year>|¿quién pintó las meninas?|la célula tiene núcleo|un adjetivo dice cómo es algo|el sol y la playa|esperanza tengo|es un pilar del edificio|qué alegría|la rosa roja|el mar
perdimos <num>-<num>|somos <num>|piso <num>|fila <num>|paso <num>|<num> veces|pregunta <num>|<num>|turno <num>|el <num>%|busca en google|abre excel|el móvil no carga|la tele no enciende|el wifi va lento
Después de parar, <Name> tuvo que empezar de nuevo|<Name> tenía <num> cartas y perdió <num>|El señor <Last> llega a la estación a las <num>:<num>|Sabemos que <Name> resolvió <num> problemas|¿cuánto pagó <Name> en total?|Primero <Name> anda <num> km y luego corre <num> km|<Name> es <num> años mayor que <Name>
don quijote y sancho|romeo y julieta|newton y einstein|napoleón perdió en waterloo|colón llegó en 1492|venus y mercurio son planetas|en europa|la economía de américa|el color ámbar|una perla|el verde oliva|hace <num> años|a los <num> días|<num> kPa|<num> N|por ejemplo|el servicio de urología|la consulta de cirugía|el hospital|la ciudad
hola ■■■■■■■■■■■|soy ■■■■■■■■■■■■ y necesito ayuda|mi nombre es ■■■■■■■■■■■|nací el ■■■■■■■■|vivo en ■■■■■■■■■■■■|llámeme al ■■■■■■■■■ mañana|gracias, ■■■■■■■■■■■|tengo ■■■■■■■ años
""".strip()


def frames(block: str) -> list[str]:
    """The frames of a block, one per bar or line."""
    return [frame.replace("\\n", "\n") for line in block.splitlines() for frame in line.split("|") if frame]
