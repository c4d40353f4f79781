"""What a certificate says in plain words, and what it must not be read to say."""

from __future__ import annotations

STATEMENT = (
    "Every gate listed here passed, on exactly the files listed here, with the figures listed here. "
    "The signature covers this statement and, through their digests, those files; whether the signer may be trusted "
    "to have run the pipeline as it is published is for the reader to know."
)

NOT_CLAIMED: tuple[str, ...] = (
    "Epsilon and delta bound what the adapter's weights tell about any one unit of training data, as the training's "
    "unit names it: the synthetic conversations that belong together, or one planted canary, as the trainer saw them. "
    "They are no bound for the people in the inputs: those are protected by detection and gates, which are not "
    "differentially private, and by the seeds, which are so only where `release` says dp.",
    "Where `release` says dp, a second epsilon and delta bound what seeds.jsonl, synthetic.jsonl and the adapter "
    "together tell about any one unit of the inputs, the subject or the conversation as `release` names it; whoever "
    "stands in the inputs under several names, or in conversations without a subject's name, is several units. The "
    "budget is kept for every input file by its name and by its content: releases of the same people from a file that "
    "was both renamed and changed, or under another user's configuration, are not counted unless [seeds] ledger names "
    "one file for all. The gates were held against the inputs all the same: that the run passed, its "
    "scores, the times of its beginning and end, and the invented values of rendered.jsonl, which avoid values of the "
    "inputs, are outside that bound. Where it says kanonymous, labels that single somebody out were generalised; that "
    "is no bound at all for somebody who knows how a conversation went.",
    "The training's epsilon and delta cover the adapter alone. The published synthetic set is text in the clear, to "
    "which they say nothing; the base model, trained elsewhere on data unknown to us, may have memorised its own "
    "training data. The proof is of the mechanism in exact arithmetic; attacks on floating-point noise are not "
    "excluded.",
    "A privacy score of 0.00 means that the detector found nothing. A detector finds what it was built and measured "
    "for, in the languages it was measured in; it does not prove that no personal data is there.",
    "The leak check looks for the values that the detector found in the inputs. A value that detection missed is not "
    "looked for, and a paraphrase, or a description that singles a person out without naming them, is not seen.",
    "What the published text tells about people in the inputs was attacked twice. Invented values were said in copies "
    "of input conversations and seeded: the bound of source_canaries is on the share that comes through seeding. "
    "text_only asks whether the text resembles a person of the inputs more than people who were held back; where "
    "nobody could be held back its row says watch, and nothing is claimed from it. Beside a dp release it is left out.",
    "Attack bounds hold for the attacks named here, run as configured, against planted canaries and this adapter, at "
    "the stated confidence. A stronger attack, or one that nobody has thought of, may do better.",
    "The audit's figure is a lower bound on epsilon from one run; it can refute a claimed epsilon, never confirm it, "
    "and it cannot show more than the ceiling printed beside it.",
    "This is no legal finding. In particular, 'epsilon <= 8 satisfies HIPAA Safe Harbor' is false: Safe Harbor is the "
    "removal of 18 kinds of identifiers, 45 CFR 164.514(b)(2). Figures like these can be evidence for an expert under "
    "164.514(b)(1), or in an assessment under the GDPR; the judgement stays with that person.",
    "Nothing is said about truth, safety, fairness or fitness for a task: synthetic conversations may be wrong, "
    "biased or harmful, and medical or other advice in them must not be followed.",
)
