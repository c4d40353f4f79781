"""Classroom talk: as a recogniser hears it, in chat with typos, in two languages, in roll calls and breakout rooms."""

from __future__ import annotations

import re
from functools import cache

import pytest

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector

# A lesson a paragraph, a turn a line, and in braces what is somebody's; all else must stay.
LESSONS = """
okay so everybody uh today were doing fractions three fourths plus one half
um is it five fourths
yeah good job {marisol} thats exactly right

roll call everybody, {devonte}?
here
{priyanka}?
shes absent today
ok and {lucas ortega}
present

im gonna put you in breakout room 3 with {anaya} and {tobias}
ok
work on problem 12 which is 48 divided by 6
8

{jayden_m07} has joined the meeting
From {jayden_m07} to Everyone: i got 3/8
From {Mrs. Okafor} to Everyone: nice, 3/8 is right

a ver cuanto es 7 por 8
es 56 miss
muy bien {valentina}, ahora 56 entre 7
8 maestra

so the train leaves at 3:45 and gets there at 5:15 so how long
1.5 hrs
great, and if it goes 60 miles an hr
90 miles

plot (3, -4) and (-2, 7) on ur graph
done
whats the slope
-11/5

i got a 87 on my last quiz and a 92 on the test
so the average is (87+92)/2 = 89.5
ya

teh answr is 24 becuase 6x4
nope chek agian
oh its 6x5=30
yup!! nice work {kiana}

If Jamal buys 3 pencils at $0.45 each how much does he spend
1.35
yes Jamal spends $1.35

my mom said to call her at {713 555 0142} if the link doesnt work
ok, first do 45 x 12
540

i go to {lincoln middle school} in {tulsa}
cool! so 2x+3=11
x=4

join here {https://zoom.us/j/91234567890} passcode {4Xk9Lm}
thx
what is 15% of 80
12

im {11} and my brother is {7} so whats the ratio
11:7
right

so maria has twelve marbles and she gives a third to her friend tom
that is four
so how many does maria have left
eight

f(x) = 2x^2 - 5x + 1 find f(3)
2*9-15+1 = 4
perfect

the recipe needs 2 1/2 cups so for 3 batches
7 1/2
good

hi this is {dylan}'s dad, {dylan} is sick
oh ok tell {dylan} to finish page 42 # 1-15
will do

score is 14 to 9 so how much are we ahead
5
and if they get 3 more

my student number is {4471902}
thanks. now 4471 - 902
3569

mi numero es {5512348890}
gracias {diego}, cuanto es 12 + 30
42

Good afternoon {Ms. Abernathy}
Good afternoon! Let's try 9351 / 7
1335 r 6

the rectangle is 12 by 8 so area 96 and perimeter 40
yep
whats the diagonal
sqrt(208) about 14.4

{xx_blaze_xx}: i dont get number 5
Tutor: try factoring 36
{xx_blaze_xx}: 2 2 3 3

Alex and Sam share $45 in ratio 2:3
18 and 27
good, Alex gets 18

{sofia} can you unmute
sorry my mic, i think its 0.75
yes thats 3/4

question 4 says on 5/6 of the field and 2/3 is corn
so 5/9
right 5/6 x 2/3 = 10/18 = 5/9

i was born {march 3 2012} so how many days old am i
lets multiply 365 by 12
4380

its on {418 birchwood lane} thats my house
ok but focus: 418 - 199
219

the bus holds 52 kids and we have 4 buses and 180 kids from another school's class
52*4 is 208 so yes
good job
""".strip().split("\n\n")


@cache
def detector() -> Detector:
    return Detector(DetectorConfig())


@pytest.mark.parametrize("lesson", LESSONS)
def test_people_go_and_mathematics_stays(lesson: str) -> None:
    marked = lesson.split("\n")
    turns = tuple(
        Turn(role=("tutor", "student")[i % 2], text=re.sub(r"[{}]", "", text)) for i, text in enumerate(marked)
    )
    found = detector().detect_conversation(Conversation(id="c", turns=turns, language="en", domain="tutoring"))
    for text, turn, spans in zip(marked, turns, found, strict=True):
        # Each pair of braces before one has moved it by two.
        braced = enumerate(re.finditer(r"\{([^}]*)\}", text))
        wanted = [(match.start() - 2 * i, match.end() - 2 * i - 2) for i, match in braced]
        for start, end in wanted:
            assert any(span.start < end and start < span.end for span in spans), turn.text[start:end]
        for span in spans:
            assert any(span.start < end and start < span.end for start, end in wanted), turn.text[span.start : span.end]
