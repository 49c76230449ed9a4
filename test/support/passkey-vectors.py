"""
Makes src/user/factor/passkey-vectors.json: answers of authenticators, good and hostile, by an implementation of WebAuthn that
is not the one under test (PyPI: fido2 1.2, cryptography 44). The tests need only the file. Run it again with:

    pip install fido2==1.2.0 && python test/support/passkey-vectors.py
"""

import json
import os
import pathlib
import struct
from base64 import urlsafe_b64encode

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor
from fido2.cose import ES256, RS256, EdDSA
from fido2.utils import sha256

RP_ID = "id.test"
ORIGIN = "https://id.test"
CHALLENGE = "Y2hhbGxlbmdlIG9mIHRoZSB2ZWN0b3Jz"
USER = b"user-1"
UP, UV, BE, BS, AT = 0x01, 0x04, 0x08, 0x10, 0x40


def b64(data):
    return urlsafe_b64encode(data).decode().rstrip("=")


def client_data(kind, **over):
    data = {"type": kind, "challenge": CHALLENGE, "origin": ORIGIN, "crossOrigin": False, **over}
    return json.dumps({name: value for name, value in data.items() if value is not None}).encode()


class Authenticator:
    def __init__(self, cose=ES256, private=None, credential_id=None):
        makers = {
            ES256: lambda: ec.generate_private_key(ec.SECP256R1()),
            EdDSA: ed25519.Ed25519PrivateKey.generate,
            RS256: lambda: rsa.generate_private_key(65537, 2048),
        }
        self.private = private or makers[cose]()
        self.public = dict(cose.from_cryptography_key(self.private.public_key()))
        self.cose = cose
        self.id = credential_id or os.urandom(32)

    def sign(self, data):
        if self.cose is EdDSA:
            return self.private.sign(data)
        if self.cose is RS256:
            return self.private.sign(data, padding.PKCS1v15(), hashes.SHA256())
        return self.private.sign(data, ec.ECDSA(hashes.SHA256()))

    def auth_data(self, flags, rp_id=RP_ID, counter=0, attested=b""):
        return sha256(rp_id.encode()) + struct.pack(">BI", flags, counter) + attested

    def create(self, flags=UP | UV | BE | BS, public=None, fmt="none", statement=None, data=None, rp_id=RP_ID, raw=None,
               self_signed=False):
        client = client_data("webauthn.create") if data is None else data
        key = cbor.encode(self.public if public is None else public)
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        auth_data = self.auth_data(flags | AT, rp_id, 0, attested)
        if self_signed:
            statement = {"alg": self.cose.ALGORITHM, "sig": self.sign(auth_data + sha256(client))}
        attestation = cbor.encode({"fmt": fmt, "attStmt": statement or {}, "authData": auth_data}) if raw is None else raw
        response = {"clientDataJSON": b64(client), "attestationObject": b64(attestation), "transports": ["internal", "wifi"]}
        return {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response,
                "clientExtensionResults": {}, "authenticatorAttachment": "platform"}

    def get(self, flags=UP | UV | BE | BS, counter=0, data=None, rp_id=RP_ID, user=USER, signature=None):
        client = client_data("webauthn.get") if data is None else data
        auth_data = self.auth_data(flags, rp_id, counter)
        signed = self.sign(auth_data + sha256(client)) if signature is None else signature(auth_data + sha256(client))
        response = {"clientDataJSON": b64(client), "authenticatorData": b64(auth_data), "signature": b64(signed)}
        if user is not None:
            response["userHandle"] = b64(user)
        return {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response,
                "clientExtensionResults": {}}


def origins(kind):
    for origin in ["https://sub.id.test", "https://id.test:8443", "http://id.test", "null", "https://id.test/"]:
        yield f"origin {origin}", {"data": client_data(kind, origin=origin)}
    for crossed in [{"crossOrigin": True}, {"crossOrigin": True, "topOrigin": "https://evil.test"},
                    {"crossOrigin": None, "topOrigin": "https://evil.test"}]:
        yield f"frame {json.dumps(crossed)}", {"data": client_data(kind, **crossed)}
    yield "RP ID of the parent domain", {"rp_id": "test"}
    yield "challenge of somebody else", {"data": client_data(kind, challenge="b3RoZXI")}
    yield "type of the other ceremony", {"data": client_data("webauthn.get" if kind == "webauthn.create" else "webauthn.create")}


created, used = [], []


def case(into, requirement, title, answer, expected="passkey.refused", **more):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    into.append({"title": f"{title} [{requirement}]", "answer": text, "expected": expected, **more})


for cose in [ES256, EdDSA, RS256]:
    case(created, "PKY-009", f"a key for {cose.__name__}", Authenticator(cose).create(), "accepted")
case(created, "PKY-010", "packed, signed by the key itself", Authenticator().create(fmt="packed", self_signed=True), "accepted")
case(created, "PKY-013", "a key of one device", Authenticator().create(flags=UP | UV), "accepted")
case(created, "PKY-005", "UV 0", Authenticator().create(flags=UP), "passkey.user_not_verified")
case(created, "PKY-005", "UP 0", Authenticator().create(flags=UV))
case(created, "PKY-013", "BS without BE", Authenticator().create(flags=UP | UV | BS))
for name, over in origins("webauthn.create"):
    case(created, "PKY-004" if name.startswith("frame") else "PKY-003", name, Authenticator().create(**over))

changed = Authenticator()
case(created, "PKY-009", "alg changed to ES384", changed.create(public={**changed.public, 3: -35}))
case(created, "PKY-009", "alg changed to EdDSA", changed.create(public={**changed.public, 3: -8}))
case(created, "PKY-009", "a point that is not on the curve", changed.create(public={**changed.public, -3: bytes(31) + b"\1"}))
weak = rsa.generate_private_key(65537, 1024)
case(created, "PKY-009", "RSA of 1024 bits", Authenticator(RS256, weak).create())
strong = Authenticator(RS256)
case(created, "PKY-009", "RSA with the exponent 1", strong.create(public={**strong.public, -2: b"\1"}))

certificate = b"0\x82 http://169.254.169.254/crl"
for fmt in ["packed", "tpm", "android-safetynet", "android-key", "apple", "fido-u2f"]:
    statement = {"alg": -7, "sig": b"0", "x5c": [certificate], "ver": "2.0"}
    case(created, "PKY-010", f"{fmt} with a certificate", Authenticator().create(fmt=fmt, statement=statement))
case(created, "PKY-010", "none with a statement", Authenticator().create(statement={"x5c": [certificate]}))
case(created, "PKY-010", "an unknown format", Authenticator().create(fmt="unheard-of"))
forged = Authenticator()
case(created, "PKY-010", "packed, signed by another key",
     forged.create(fmt="packed", statement={"alg": -7, "sig": Authenticator().sign(b"x")}))

case(created, "PKY-011", "CBOR nested 10,000 deep", Authenticator().create(raw=b"\x81" * 10_000 + b"\0"))
case(created, "PKY-011", "CBOR with a key twice",
     Authenticator().create(raw=b"\xa4cfmtdnonecfmtfpackedgattStmt\xa0hauthData@"))
case(created, "PKY-011", "CBOR that says it is longer than it is", Authenticator().create(raw=b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff"))
case(created, "PKY-011", "no CBOR at all", Authenticator().create(raw=b"\xff\xff\xff"))
case(created, "PKY-011", "an id of 1,024 bytes", Authenticator(credential_id=bytes(1024)).create())

for cose in [ES256, EdDSA, RS256]:
    one = Authenticator(cose)
    key = {"id": b64(one.id), "publicKey": b64(cbor.encode(one.public))}
    case(used, "PKY-006", f"a signature of {cose.__name__}", one.get(), "accepted", key=key)

one, other = Authenticator(), Authenticator()
key = {"id": b64(one.id), "publicKey": b64(cbor.encode(one.public))}


def use(requirement, title, answer, expected="passkey.refused", **more):
    case(used, requirement, title, answer, expected, key={**key, **more})


for name, over in origins("webauthn.get"):
    use("PKY-004" if name.startswith("frame") else "PKY-003", name, one.get(**over))
use("PKY-005", "UV 0", one.get(flags=UP | BE | BS), "passkey.user_not_verified")
use("PKY-005", "UP 0", one.get(flags=UV | BE | BS))
use("PKY-006", "a signature of zeros", one.get(signature=lambda data: bytes(70)))
use("PKY-006", "a signature of another key", one.get(signature=other.sign))
use("PKY-006", "a signature that ends early", one.get(signature=lambda data: one.sign(data)[:-9]))
use("PKY-006", "a signature of one byte", one.get(signature=lambda data: b"0"))
empty = one.get()
empty["response"]["signature"] = ""
use("PKY-006", "no signature", empty)
use("PKY-007", "the id of another key", {**one.get(), "id": b64(other.id), "rawId": b64(other.id)})
use("PKY-007", "another raw id", {**one.get(), "rawId": b64(other.id)})
use("PKY-007", "the handle of another user", one.get(user=b"user-2"))
use("PKY-007", "no handle while nobody was named", one.get(user=None))
use("PKY-013", "BE 0 → 1", one.get(), backupEligible=False)
use("PKY-013", "BE 1 → 0", one.get(flags=UP | UV), backupEligible=True)
use("PKY-013", "BS 1 with BE 0", one.get(flags=UP | UV | BS), backupEligible=False)
use("PKY-013", "BS 0 with BE 1", one.get(flags=UP | UV | BE), "accepted")
use("PKY-011", "JSON with __proto__", '{"__proto__": {"id": "eA"}, "type": "public-key"}')
use("PKY-011", "a list", "[]")
use("PKY-011", "no JSON", "{")
use("PKY-011", "authenticator data of three bytes", {**one.get(), "response": {**one.get()["response"], "authenticatorData": "AAAA"}})
use("PKY-011", "client data that is not JSON", {**one.get(), "response": {**one.get()["response"], "clientDataJSON": b64(b"x")}})
use("PKY-011", "client data that is null", {**one.get(), "response": {**one.get()["response"], "clientDataJSON": b64(b"null")}})

vectors = {"rpId": RP_ID, "origin": ORIGIN, "challenge": CHALLENGE, "userId": USER.decode(), "created": created, "used": used}
path = pathlib.Path(__file__).parents[2] / "src/user/factor/passkey-vectors.json"
path.write_text(json.dumps(vectors, indent=2, ensure_ascii=False) + "\n")
