"""Proves that a conversation was, or was not, an input of a certified run; only the holder of the run's salt can.

Each conversation is a leaf: HMAC-SHA256 of its turns under a nonce of its own, which the salt gives. Whoever is shown
a proof learns the nonce of that one leaf, its place and the number of leaves; of the others nothing but digests.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationError

from flows.errors import CertificateError, UsageError
from flows.inputs import read_inputs
from flows.listing import CERTIFICATE
from flows.merkle import climb, path_of, root_of
from flows.signing import config_home
from flows.statements import read_certificate
from seed_engine.conversation import Boundary

if TYPE_CHECKING:
    from seed_engine.conversation import Conversation

_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class InclusionProof(Boundary):
    """What shows that one conversation was an input.

    Attributes:
        run: the run's id.
        index: place among the inputs' conversations, 0-based.
        size: how many there were.
        nonce: hex; of this leaf alone.
        path: hex; sibling digests from the leaf up.
    """

    schema_version: Literal["1"] = "1"
    run: Annotated[str, Field(max_length=64)]
    index: int = Field(ge=0)
    size: int = Field(ge=1)
    nonce: _Digest
    path: Annotated[tuple[_Digest, ...], Field(max_length=64)]


def source_root(conversations: Iterable[Conversation], salt: bytes) -> str:
    """Hex root of the tree over conversations, in order.

    Args:
        conversations: the inputs'.
        salt: at least 16 random bytes.
    """
    return root_of(_leaves(conversations, salt)).hex()


def salted_digest(sha256: str, salt: bytes) -> str:
    """The digest of a file in a commitment, from the file's own (hex)."""
    return hashlib.sha256(salt + bytes.fromhex(sha256)).hexdigest()


def prove(run: Path, inputs: Sequence[Path], conversation_id: str) -> InclusionProof:
    """Make a proof for one conversation of the inputs.

    Args:
        run: a certified run's directory.
        inputs: the files that it was made from, in the order they were given.
        conversation_id: as the readers name it.

    Raises:
        CertificateError: no certificate, no salt of the run on this machine, or other inputs than the run's.
        UsageError: no conversation has that id.
    """
    certificate = read_certificate(run / CERTIFICATE if run.is_dir() else run)[1]
    salt = _salt(certificate["run"]["id"])
    how = {"limit": certificate["run"]["limit"], "skip_bad": certificate["run"]["skip_bad"]}
    leaves: list[bytes] = []
    index = None
    for place, conversation in enumerate(read_inputs(inputs, Counter(), **how, unique_ids=False)):
        leaves.append(_leaf(conversation, _nonce(salt, place)))
        if conversation.id == conversation_id:
            index = place
    if root_of(leaves).hex() != certificate["source"].get("root"):
        raise CertificateError("these are not the inputs of the run, or not in the order they were given")
    if index is None:
        raise UsageError("no conversation of the inputs has this id")
    path = tuple(digest.hex() for digest in path_of(leaves, index))
    return InclusionProof(
        run=certificate["run"]["id"], index=index, size=len(leaves), nonce=_nonce(salt, index).hex(), path=path
    )


def included(certificate: dict[str, object], proof: Path, conversation: Path) -> str:
    """Why a proof does not show that a conversation was an input; empty if it does.

    Args:
        certificate: whose source it should be an input of.
        proof: file of an `InclusionProof`.
        conversation: a file of one conversation, in any format that is read.

    Raises:
        CertificateError: the proof's file is none.
        UsageError: the conversation's file holds not exactly one.
    """
    shown = _read(proof)
    found = list(read_inputs((conversation,), Counter(), limit=2, skip_bad=False, unique_ids=False))
    if len(found) != 1:
        raise UsageError(f"{conversation}: holds not exactly one conversation")
    run, source = certificate.get("run"), certificate.get("source")
    if not isinstance(run, dict) or not isinstance(source, dict) or run.get("id") != shown.run:
        return "the proof is of another run"
    leaf = _leaf(found[0], bytes.fromhex(shown.nonce))
    root = climb(leaf, shown.index, shown.size, [bytes.fromhex(digest) for digest in shown.path])
    matches = root is not None and root.hex() == source.get("root")
    return "" if matches else "the proof does not show this conversation among the inputs"


def _leaves(conversations: Iterable[Conversation], salt: bytes) -> list[bytes]:
    return [_leaf(item, _nonce(salt, place)) for place, item in enumerate(conversations)]


def _nonce(salt: bytes, place: int) -> bytes:
    return hmac.new(salt, place.to_bytes(8, "big"), hashlib.sha256).digest()


def _leaf(conversation: Conversation, nonce: bytes) -> bytes:
    # Roles and texts alone: whoever has the conversation in another format has these.
    turns = json.dumps([[turn.role, turn.text] for turn in conversation.turns], ensure_ascii=False)
    return hmac.new(nonce, turns.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()


def _salt(run_id: str) -> bytes:
    try:
        return bytes.fromhex((config_home() / "salts" / Path(run_id).name).read_text("ascii"))
    except (OSError, ValueError):
        pass
    raise CertificateError("the salt of this run is not on this machine; only who made it can prove anything")


def _read(path: Path) -> InclusionProof:
    try:
        return InclusionProof.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        pass
    raise CertificateError(f"{path}: not an inclusion proof")
