"""What pysaml2 says and understands, in both roles. A command, its input as JSON on stdin, its answer as JSON."""

import base64
import json
import sys
from urllib.parse import parse_qs, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, saml
from saml2.client import Saml2Client
from saml2.config import IdPConfig, SPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NameID
from saml2.server import Server

SIGNATURE = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
DIGEST = "http://www.w3.org/2001/04/xmlenc#sha256"
BINDINGS = {"redirect": BINDING_HTTP_REDIRECT, "post": BINDING_HTTP_POST}
SP = "https://sp.test"
IDP = "https://idp.test"

given = json.load(sys.stdin)


def common(entity_id, metadata):
    return {
        "entityid": entity_id,
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "allow_unknown_attributes": True,
        "key_file": given["key"],
        "cert_file": given["certificate"],
        "metadata": {"local": [metadata]} if metadata else {},
        "signing_algorithm": SIGNATURE,
        "digest_algorithm": DIGEST,
    }


def sp():
    endpoints = {
        "assertion_consumer_service": [("https://sp.test/acs", BINDING_HTTP_POST)],
        "single_logout_service": [("https://sp.test/slo", BINDING_HTTP_REDIRECT)],
    }
    service = {
        "endpoints": endpoints,
        "authn_requests_signed": True,
        "want_assertions_signed": True,
        "want_response_signed": True,
        "name_id_format": [saml.NAMEID_FORMAT_PERSISTENT],
    }
    return SPConfig().load({**common(SP, given.get("metadata")), "service": {"sp": service}})


def idp():
    endpoints = {
        "single_sign_on_service": [("https://idp.test/sso", BINDING_HTTP_REDIRECT), ("https://idp.test/sso", BINDING_HTTP_POST)],
        "single_logout_service": [("https://idp.test/slo", BINDING_HTTP_REDIRECT)],
    }
    service = {
        "endpoints": endpoints,
        "want_authn_requests_signed": given.get("signed", True),
        "policy": {"default": {"attribute_restrictions": None, "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:uri"}},
    }
    return IdPConfig().load({**common(IDP, given.get("metadata")), "service": {"idp": service}})


def sp_metadata():
    return str(entity_descriptor(sp()))


def idp_metadata():
    return str(entity_descriptor(idp()))


def sp_request():
    client = Saml2Client(config=sp())
    algorithms = {} if given.get("sha1") else {"sigalg": SIGNATURE, "digest_alg": DIGEST}
    request_id, info = client.prepare_for_authenticate(
        relay_state="state/1?a=b", binding=BINDINGS[given["binding"]], sign=given["signed"], **algorithms
    )
    if given["binding"] == "redirect":
        return {"id": request_id, "url": dict(info["headers"])["Location"]}
    form = info["data"]
    value = form.split('name="SAMLRequest" value="')[1].split('"')[0]
    return {"id": request_id, "SAMLRequest": value}


def sp_read():
    client = Saml2Client(config=sp())
    response = client.parse_authn_request_response(
        given["SAMLResponse"], BINDING_HTTP_POST, outstanding={given["requestId"]: "/"}
    )
    return {
        "nameId": response.name_id.text,
        "format": response.name_id.format,
        "ava": response.ava,
        "session": response.session_info()["session_index"],
        "authn": response.authn_info()[0][0],
    }


def idp_read():
    server = Server(config=idp())
    if "url" in given:
        query = {name: values[0] for name, values in parse_qs(urlsplit(given["url"]).query).items()}
        request = server.parse_authn_request(
            query["SAMLRequest"],
            BINDING_HTTP_REDIRECT,
            relay_state=query.get("RelayState"),
            sigalg=query.get("SigAlg"),
            signature=query.get("Signature"),
        )
    else:
        request = server.parse_authn_request(given["SAMLRequest"], BINDING_HTTP_POST)
    answer = server.response_args(request.message)
    return {
        "id": request.message.id,
        "issuer": request.message.issuer.text,
        "acs": answer["destination"],
        "forceAuthn": request.message.force_authn,
        "format": request.message.name_id_policy.format,
    }


def idp_answer():
    server = Server(config=idp())
    response = server.create_authn_response(
        identity=given["identity"],
        in_response_to=given["requestId"],
        destination=given["acs"],
        sp_entity_id=given["audience"],
        name_id=NameID(format=saml.NAMEID_FORMAT_PERSISTENT, text=given["nameId"], sp_name_qualifier=given["audience"]),
        authn={"class_ref": saml.AUTHN_PASSWORD_PROTECTED, "authn_auth": IDP},
        session_not_on_or_after=None,
        sign_response=given["signResponse"],
        sign_assertion=given["signAssertion"],
        sign_alg=SIGNATURE,
        digest_alg=DIGEST,
    )
    return {"SAMLResponse": base64.b64encode(str(response).encode()).decode()}


def idp_refuse():
    server = Server(config=idp())
    response = server.create_error_response(
        in_response_to=given["requestId"],
        destination=given["acs"],
        info=("urn:oasis:names:tc:SAML:2.0:status:NoPassive", "no"),
        sign=True,
        sign_alg=SIGNATURE,
        digest_alg=DIGEST,
    )
    return {"SAMLResponse": base64.b64encode(str(response).encode()).decode()}


def sp_logout():
    client = Saml2Client(config=sp())
    name_id = NameID(format=saml.NAMEID_FORMAT_PERSISTENT, text=given["nameId"])
    request_id, request = client.create_logout_request(
        given["destination"], given["issuer"], name_id=name_id, session_indexes=given.get("indexes", ["1"]),
        sign=given["binding"] == "post", sign_alg=SIGNATURE, digest_alg=DIGEST,
    )
    if given["binding"] == "post":
        return {"id": request_id, "SAMLRequest": base64.b64encode(str(request).encode()).decode()}
    info = client.apply_binding(
        BINDING_HTTP_REDIRECT, str(request), given["destination"], "state", sign=True, sigalg=SIGNATURE
    )
    return {"id": request_id, "url": dict(info["headers"])["Location"]}


def sp_read_logout():
    """Our request for logout, and then our response to theirs."""
    client = Saml2Client(config=sp())
    query = {name: values[0] for name, values in parse_qs(urlsplit(given["url"]).query).items()}
    if "SAMLRequest" in query:
        request = client.parse_logout_request(
            query["SAMLRequest"],
            BINDING_HTTP_REDIRECT,
            relay_state=query.get("RelayState"),
            sigalg=query["SigAlg"],
            signature=query["Signature"],
        )
        indexes = [one.text for one in request.message.session_index]
        return {"id": request.message.id, "nameId": request.message.name_id.text, "indexes": indexes}
    response = client.parse_logout_request_response(query["SAMLResponse"], BINDING_HTTP_REDIRECT)
    return {"inResponseTo": response.in_response_to, "ok": response.status_ok()}


print(json.dumps(globals()[sys.argv[1]]()))
