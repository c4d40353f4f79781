"""Sentence frames in French, German and Dutch; see `detector_lines.py` for the notation. All written for this project."""

# ruff: noqa: E501 - frames are read in one piece.
PERSONAL_FR = """
je m'appelle {full}|bonjour, je suis {full}|c'est {first} à l'appareil|mon nom est {last}|bonjour {first}, comment puis-je vous aider ?|merci {first}|Bonjour {title}|Cher {first},|Cordialement,\\n{full}|ici {full} de {org}
ma fille {first} a de la fièvre depuis le {date}|mon mari {full} a appelé hier|mon fils {first} a {age} ans|ma femme s'appelle {full}|ma mère, {full}, est à {hospital}|avec {first} et {first}, on est partis|le professeur {last} l'a dit
je suis né le {date}|née le {date} à {city}|date de naissance : {date}|le rendez-vous est le {date}|opéré le {date}|j'ai {age} ans|âge : {age} ans|un patient de {age} ans nommé {full}|vu par {title} le {date}
j'habite {street}|j'habite à {city}|mon adresse est {address}|livrez à {address}|code postal {postcode}|je viens de {country}|{postcode} {city}|on vivait à {city}, puis à {city}|la clinique de {city}|je travaille chez {org} à {city}
mon adresse mail est {email}|écrivez-moi à {email}|mon numéro est le {phone}|appelez-moi au {phone}|tél. {phone}|portable {phone}|contact : {full}, {phone}, {email}
ma carte est la {card}|IBAN {iban}|mon iban est {iban}|numéro de sécurité sociale {nir}|n° de sécu {nir}|passeport {passport}|permis {licence}|immatriculation {plate}|numéro de dossier {mrn}|numéro client {order}|commande {order}
mon identifiant est {user}|mot de passe {password}|mon mot de passe est {password}|identifiant {user} mot de passe {password}|adresse ip {ip}|Nom : {full}|Patient : {full}|Médecin : {full}|le docteur {last} m'a prescrit ça
alors {first} m'a dit que c'était fini|j'ai vu {first} hier soir|{first} habite avec {first} depuis {date}|mon chef, {full}, n'était pas d'accord|elle s'appelait {first}|j'ai rencontré {full} à {city} en <year>|demandez {first} à l'accueil
""".strip()

CLEAN_FR = """
bonjour|bonsoir|merci beaucoup|de rien|au revoir|à demain|oui|non|d'accord|parfait|un instant s'il vous plaît|à lundi|bonne journée|euh|voilà|ben oui|je sais pas|c'est ça|tout à fait
comment puis-je vous aider ?|quel est votre nom ?|votre date de naissance ?|quelle est votre adresse ?|pouvez-vous épeler votre nom ?|votre numéro de téléphone ?|autre chose ?|merci d'avoir patienté
ma commande n'est pas arrivée|elle est partie il y a <num> jours|je veux la retourner|on m'a débité deux fois|ça coûte <num> euros|<num>,<num> euros|le code <CODE> ne marche pas|erreur <code>|la version <ver>|page <num> du manuel
lundi prochain|la semaine dernière|dans deux semaines|hier soir|à <num> h <num>|toutes les <num> heures|pendant <num> ans|il y a longtemps|depuis l'année dernière|le matin|en <year>|dans les années <num>
prenez <num> mg de <drug>|le <drug> fait tousser ?|ma tension est à <num>/<num>|j'ai mal à la tête|<num>,<num> de fièvre|la maladie de <eponym>|buvez de l'eau|revenez dans trois mois|les résultats sont normaux|pas d'allergie
combien font <num> fois <num> ?|x = <num>|la réponse est <num>|<Name> a <num> pommes et en donne <num> à <Name>|<Name> achète <num> stylos à <num> euros|la loi d'ohm|le théorème de pythagore|exercice <num> page <num>|molière a écrit tartuffe
la télé ne marche pas|le chat dort|il fait beau|on avait une ferme|mes parents travaillaient la terre|c'était la guerre|l'école du village|je faisais du vélo|à l'usine on était <num>|le patron était gentil|ma grand-mère cuisinait|on parlait patois à la maison
""".strip()

PERSONAL_DE = """
ich heiße {full}|mein Name ist {full}|hier ist {first}|hier spricht {full} von {org}|Hallo {first}, wie kann ich helfen?|danke {first}|Guten Tag {title}|Liebe {first},|Mit freundlichen Grüßen\\n{full}|ich bin {first}
meine Tochter {first} hat seit dem {date} Fieber|mein Mann {full} hat gestern angerufen|mein Sohn {first} ist {age} Jahre alt|meine Frau heißt {full}|meine Mutter, {full}, liegt im {hospital}|Herr {last} ist heute nicht da|Frau {last} hat es verschrieben
ich bin am {date} geboren|geboren am {date} in {city}|Geburtsdatum: {date}|der Termin ist am {date}|operiert am {date}|ich bin {age} Jahre alt|Alter: {age}|ein {age}-jähriger Patient namens {full}
ich wohne in der {street}|ich wohne in {city}|meine Adresse ist {address}|bitte an {address} liefern|PLZ {postcode}|ich komme aus {country}|{postcode} {city}|wir zogen von {city} nach {city}|die Klinik in {city}|ich arbeite bei {org}
meine E-Mail ist {email}|schreiben Sie an {email}|meine Nummer ist {phone}|rufen Sie mich unter {phone} an|Tel. {phone}|Handy {phone}|Kontakt: {full}, {phone}, {email}
meine Karte ist {card}|IBAN {iban}|meine IBAN lautet {iban}|Steuer-ID {natid}|Personalausweis {passport}|Reisepass {passport}|Führerschein {licence}|Kennzeichen {plate}|Patientennummer {mrn}|Kundennummer {order}|Bestellung {order}
mein Benutzername ist {user}|Passwort {password}|mein Passwort lautet {password}|IP-Adresse {ip}|Name: {full}|Patient: {full}|Arzt: {full}|fragen Sie nach {first}|{first} hat mir geholfen|ich habe {full} in {city} getroffen|{first} und {first} waren auch da
""".strip()

CLEAN_DE = """
guten Tag|guten Morgen|vielen Dank|bitte schön|auf Wiedersehen|bis morgen|ja|nein|alles klar|perfekt|einen Moment bitte|bis Montag|schönen Tag noch|ähm|genau|na gut|stimmt
wie kann ich Ihnen helfen?|wie ist Ihr Name?|Ihr Geburtsdatum bitte?|wie lautet Ihre Adresse?|können Sie das buchstabieren?|Ihre Telefonnummer?|sonst noch etwas?|danke fürs Warten
meine Bestellung ist nicht da|sie wurde vor <num> Tagen verschickt|ich möchte sie zurückgeben|mir wurde zweimal abgebucht|es kostet <num> Euro|<num>,<num> Euro|der Code <CODE> geht nicht|Fehler <code>|Version <ver>|Seite <num> der Anleitung|das Paket ist weg
nächsten Montag|letzte Woche|in zwei Wochen|gestern Abend|um <num> Uhr <num>|alle <num> Stunden|<num> Jahre lang|seit dem letzten Jahr|am Morgen|im Jahr <year>|Ende des Monats
nehmen Sie <num> mg <drug>|macht <drug> müde?|mein Blutdruck ist <num>/<num>|ich habe Kopfschmerzen|<num>,<num> Grad Fieber|Morbus <eponym>|trinken Sie viel Wasser|kommen Sie in drei Monaten wieder|die Werte sind normal|keine Allergien
was ist <num> mal <num>?|x = <num>|die Antwort ist <num>|<Name> hat <num> Äpfel und gibt <Name> <num>|<Name> kauft <num> Stifte für <num> Euro|das ohmsche Gesetz|der Satz des Pythagoras|Aufgabe <num> auf Seite <num>|Goethe schrieb Faust
der Fernseher ist kaputt|die Katze schläft|das Wetter ist schön|der Router blinkt rot|die Waschmaschine zeigt <code>|der Akku ist leer|das Konto ist gesperrt|die Rechnung stimmt nicht|der Bäcker hat zu|am Wochenende
""".strip()

PERSONAL_NL = """
ik heet {full}|mijn naam is {full}|met {first}|u spreekt met {full} van {org}|Hallo {first}, waarmee kan ik helpen?|bedankt {first}|Goedemorgen {title}|Beste {first},|Met vriendelijke groet,\\n{full}|ik ben {first}
mijn dochter {first} heeft koorts sinds {date}|mijn man {full} belde gisteren|mijn zoon {first} is {age} jaar|mijn vrouw heet {full}|mijn moeder, {full}, ligt in {hospital}|meneer {last} is er niet|mevrouw {last} schreef het voor
ik ben geboren op {date}|geboren op {date} in {city}|geboortedatum: {date}|de afspraak is op {date}|geopereerd op {date}|ik ben {age} jaar oud|leeftijd: {age}|een patiënt van {age} jaar, {full}
ik woon op {street}|ik woon in {city}|mijn adres is {address}|stuur het naar {address}|postcode {postcode}|ik kom uit {country}|{postcode} {city}|we verhuisden van {city} naar {city}|de kliniek in {city}|ik werk bij {org}
mijn e-mail is {email}|mail me op {email}|mijn nummer is {phone}|bel me op {phone}|tel. {phone}|mobiel {phone}|contact: {full}, {phone}, {email}
mijn kaart is {card}|IBAN {iban}|mijn iban is {iban}|BSN {natid}|mijn bsn is {natid}|paspoort {passport}|rijbewijs {licence}|kenteken {plate}|patiëntnummer {mrn}|klantnummer {order}|bestelling {order}
mijn gebruikersnaam is {user}|wachtwoord {password}|mijn wachtwoord is {password}|ip-adres {ip}|Naam: {full}|Patiënt: {full}|Arts: {full}|vraag naar {first}|{first} heeft me geholpen|ik zag {full} in {city}|{first} en {first} waren er ook
""".strip()

CLEAN_NL = """
goedendag|goedemorgen|dank u wel|graag gedaan|tot ziens|tot morgen|ja|nee|prima|perfect|een moment alstublieft|tot maandag|fijne dag|eh|precies|nou ja|klopt
waarmee kan ik u helpen?|wat is uw naam?|uw geboortedatum?|wat is uw adres?|kunt u dat spellen?|uw telefoonnummer?|verder nog iets?|bedankt voor het wachten
mijn bestelling is er niet|die is <num> dagen geleden verstuurd|ik wil het terugsturen|er is twee keer afgeschreven|het kost <num> euro|<num>,<num> euro|de code <CODE> werkt niet|fout <code>|versie <ver>|pagina <num> van de handleiding|het pakket is kwijt
volgende maandag|vorige week|over twee weken|gisteravond|om <num> uur <num>|elke <num> uur|<num> jaar lang|sinds vorig jaar|in de ochtend|in het jaar <year>|eind van de maand
neem <num> mg <drug>|word je suf van <drug>?|mijn bloeddruk is <num>/<num>|ik heb hoofdpijn|<num>,<num> graden koorts|de ziekte van <eponym>|drink veel water|kom over drie maanden terug|de uitslag is normaal|geen allergieën
wat is <num> keer <num>?|x = <num>|het antwoord is <num>|<Name> heeft <num> appels en geeft <Name> er <num>|<Name> koopt <num> pennen voor <num> euro|de wet van ohm|de stelling van pythagoras|opgave <num> op bladzijde <num>
de tv is stuk|de kat slaapt|het is mooi weer|de router knippert rood|de wasmachine geeft <code>|de accu is leeg|de rekening klopt niet|de bakker is dicht|in het weekend|de trein had vertraging
""".strip()

WEST = {"fr": (PERSONAL_FR, CLEAN_FR), "de": (PERSONAL_DE, CLEAN_DE), "nl": (PERSONAL_NL, CLEAN_NL)}
