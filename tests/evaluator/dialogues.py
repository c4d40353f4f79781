"""Good conversations that no network was trained on: the project's own text, six English and six Spanish."""

from __future__ import annotations

from seed_engine.conversation import Conversation, Turn

_LABELS = {"C": "customer", "A": "agent", "P": "patient", "D": "doctor", "S": "student", "T": "tutor"}
_TEXTS = """
C: Hello, I would like to send back a kettle that I bought last week.
A: Good morning. I am sorry to hear that. What is wrong with it?
C: It leaks from the bottom as soon as the water boils.
A: That should not happen. Could you give me the order number, please?
C: Yes, it is [ORDER_1].
A: Thank you. I can send you a new kettle or give you the money back. What would you prefer?
C: I would rather have the money back.
A: All right, the refund will be on your card within five days. Is there anything else I can do for you?
C: No, that was all. Thank you!
A: You are welcome. Have a nice day.

D: Good afternoon, [PATIENT_1]. What brings you here today?
P: I have had a sore throat for four days, doctor.
D: Do you have a fever as well?
P: A little, last night it was thirty-eight.
D: Does it hurt when you swallow?
P: Yes, a lot, I can hardly eat anything solid.
D: Please open your mouth. I see, your tonsils are swollen and red.
P: Is it something serious?
D: No, but you need an antibiotic. Take one tablet every eight hours for a week.
P: Thank you. Can I go to work?
D: Better stay at home until the fever is gone.

T: Hi [STUDENT_1], which exercise would you like to look at?
S: Number six, the one with the two trains. I do not know how to start.
T: Let us begin with what we know. How fast is the first train?
S: Eighty kilometres an hour.
T: Right. And how far does it get in half an hour?
S: Forty kilometres?
T: Exactly. Now how much distance is left between the two trains?
S: Two hundred minus forty, so one hundred and sixty.
T: Very good. Can you write down an equation for the time until they meet?
S: Eighty t plus one hundred and twenty t equals one hundred and sixty.
T: Perfect. Solve it for t and tell me what you get.
S: Zero point eight hours!

C: Hi, my internet has been down since this morning.
A: Hello, I am sorry about that. Are the lights on your router green?
C: No, the second one is blinking red.
A: That means the line is not connected. Have you tried to restart the router?
C: Yes, twice, it did not help.
A: Then I will check the line from here. One moment, please.
C: Okay.
A: There is a fault in your street, a technician is already working on it.
C: How long is it going to take?
A: It should be repaired by six o'clock this evening.
C: Good, thanks for checking.

P: Good morning, I need a new prescription for my blood pressure tablets.
D: Good morning. Which ones do you take, and how many a day?
P: The small white ones, one in the morning and one at night.
D: Have you measured your pressure at home?
P: Yes, it is mostly one hundred and thirty over eighty.
D: That is a good value. Have you noticed any side effects, like dizziness or a cough?
P: No, nothing of the sort.
D: Then we will keep the dose. I will print the prescription for three months.
P: Thank you, doctor. When should I come back?
D: On [DATE_1], and please bring your notes with you.

C: I was charged twice for my subscription this month.
A: Let me have a look. What is the e-mail address of the account?
C: It is [EMAIL_1].
A: Thank you. I see two payments on the same day, that was a mistake on our side.
C: So will I get one of them back?
A: Yes, I have just started the refund, it takes three to five days.
C: Great. And will it happen again next month?
A: No, I have removed the second payment order, so you will be charged only once.
C: Thanks for your help.
A: My pleasure. Goodbye!

C: Buenos días, todavía no me ha llegado el paquete que pedí hace dos semanas.
A: Buenos días, lamento la demora. ¿Me puede dar el número de pedido?
C: Sí, es [ORDER_1].
A: Gracias. Veo que el paquete está en el almacén desde el martes.
C: ¿Y cuándo me lo van a entregar?
A: Lo envío hoy mismo, le llegará mañana por la tarde.
C: Mañana por la tarde no estoy en casa.
A: ¿Prefiere que lo dejemos con un vecino o que lo llevemos el viernes?
C: Mejor el viernes por la mañana.
A: De acuerdo, queda anotado. ¿Puedo ayudarle en algo más?
C: No, eso es todo, gracias.
A: A usted, que tenga buen día.

D: Buenas tardes, [PATIENT_1]. ¿Qué le pasa?
P: Me duele mucho la espalda desde el domingo, doctora.
D: ¿Hizo algún esfuerzo ese día?
P: Sí, ayudé a mi hermano a mover unos muebles.
D: ¿El dolor le baja por la pierna?
P: No, solo lo siento en la parte baja de la espalda.
D: ¿Ha tomado algo para el dolor?
P: Un ibuprofeno por la noche, pero no me hizo mucho efecto.
D: Es una contractura. Le voy a recetar un relajante muscular por cinco días.
P: ¿Puedo seguir trabajando?
D: Sí, pero no levante peso esta semana.

T: Hola, [STUDENT_1]. ¿Qué vemos hoy?
S: Las fracciones, no entiendo cómo se suman si los de abajo son distintos.
T: Vamos con un ejemplo: un medio más un tercio. ¿Qué número es múltiplo de dos y de tres?
S: ¿El seis?
T: Muy bien. ¿Cuántos sextos son un medio?
S: Tres sextos.
T: Correcto. ¿Y un tercio?
S: Dos sextos.
T: Entonces, ¿cuánto da la suma?
S: Cinco sextos, ya lo entiendo.
T: Perfecto, ahora prueba con el ejercicio cuatro.

C: Hola, no puedo entrar en mi cuenta.
A: Hola, vamos a revisarlo. ¿Qué mensaje le aparece?
C: Dice que la contraseña no es correcta, pero es la de siempre.
A: ¿Ha probado a cambiarla con el enlace que enviamos por correo?
C: Sí, pero el correo no me llega.
A: Puede que esté en la carpeta de correo no deseado. ¿Lo puede mirar?
C: Ah, sí, aquí está.
A: Muy bien. Abra el enlace y escriba una contraseña nueva.
C: Ya está, ahora sí puedo entrar. Muchas gracias.
A: De nada, que pase buena tarde.

P: Doctor, vengo por los resultados del análisis de sangre.
D: Pase, siéntese. En general están bien, pero tiene el azúcar un poco alto.
P: ¿Eso quiere decir que tengo diabetes?
D: No, todavía no, pero conviene cuidar lo que come.
P: ¿Qué debo dejar de comer?
D: Menos pan blanco, refrescos y dulces, y más verdura.
P: ¿Y tengo que tomar alguna pastilla?
D: Por ahora no. Camine media hora al día y repetimos el análisis en tres meses.
P: De acuerdo, doctor, muchas gracias.

C: Buenas, quiero cancelar mi suscripción.
A: Claro, ¿me puede decir por qué motivo?
C: Es que ya casi no la uso y me sale cara.
A: Entiendo. Tenemos un plan más barato, de cuatro euros al mes. ¿Le interesa?
C: No, gracias, prefiero cancelarla.
A: Muy bien. ¿Me confirma el correo de la cuenta?
C: Es [EMAIL_1].
A: Listo, la suscripción termina el [DATE_1] y no se le cobrará nada más.
C: Perfecto, muchas gracias.
"""


def good_conversations() -> list[Conversation]:
    found = []
    for number, block in enumerate(_TEXTS.strip().split("\n\n"), 1):
        lines = [line.split(": ", 1) for line in block.splitlines()]
        turns = tuple(Turn(role=_LABELS[label], text=text) for label, text in lines)
        found.append(Conversation(id=f"own-{number:02d}", turns=turns))
    return found
