"""What python3-saml, a service provider, says and understands. It checks messages by the schemas of SAML besides."""

import json
import sys
from urllib.parse import parse_qs, urlsplit

from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from onelogin.saml2.settings import OneLogin_Saml2_Settings
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML

SIGNATURE = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
DIGEST = "http://www.w3.org/2001/04/xmlenc#sha256"

given = json.load(sys.stdin)


def settings():
    pem = open(given["certificate"]).read()
    sp = {
        "entityId": "https://sp.test",
        "assertionConsumerService": {"url": "https://sp.test/acs"},
        "singleLogoutService": {"url": "https://sp.test/slo"},
        "NameIDFormat": "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
        "x509cert": pem,
        "privateKey": open(given["key"]).read(),
    }
    security = {
        "authnRequestsSigned": True,
        "logoutRequestSigned": True,
        "logoutResponseSigned": True,
        "wantMessagesSigned": True,
        "wantAssertionsSigned": True,
        "wantNameId": True,
        "signatureAlgorithm": SIGNATURE,
        "digestAlgorithm": DIGEST,
        "requestedAuthnContext": given.get("context", False),
        "rejectDeprecatedAlgorithm": True,
    }
    ours = {"strict": True, "debug": True, "sp": sp, "security": security}
    if "metadata" not in given:
        return {**ours, "idp": {"entityId": "https://x.test", "singleSignOnService": {"url": "https://x.test"}, "x509cert": pem}}
    parsed = OneLogin_Saml2_IdPMetadataParser.parse(open(given["metadata"]).read())
    return {**ours, "idp": parsed["idp"]}


def auth(path, get=None, post=None, query=""):
    request = {
        "https": "on",
        "http_host": "sp.test",
        "script_name": path,
        "get_data": get or {},
        "post_data": post or {},
        "query_string": query,
    }
    return OneLogin_Saml2_Auth(request, old_settings=settings())


def sp_metadata():
    return OneLogin_Saml2_Settings(settings=settings(), sp_validation_only=True).get_sp_metadata().decode()


def sp_request():
    one = auth("/login")
    url = one.login(return_to="https://sp.test/a?b=c", force_authn=True)
    return {"id": one.get_last_request_id(), "url": url}


def sp_read():
    one = auth("/acs", post={"SAMLResponse": given["SAMLResponse"]})
    one.process_response(request_id=given["requestId"])
    return {
        "errors": one.get_errors(),
        "reason": one.get_last_error_reason(),
        "nameId": one.get_nameid(),
        "attributes": one.get_attributes(),
        "session": one.get_session_index(),
    }


def sp_logout():
    one = auth("/logout")
    url = one.logout(name_id="anna", session_index="17", nq=None, name_id_format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent")
    return {"id": one.get_last_request_id(), "url": url}


def sp_read_logout():
    query = urlsplit(given["url"]).query
    get = {name: values[0] for name, values in parse_qs(query).items()}
    one = auth("/slo", get=get, query=query)
    url = one.process_slo(keep_local_session=True, request_id=given.get("requestId"))
    return {"errors": one.get_errors(), "reason": one.get_last_error_reason(), "url": url}


def validate():
    """By which rule of its schema a document is wrong, or nothing."""
    result = OneLogin_Saml2_XML.validate_xml(given["xml"].encode(), given["schema"])
    return {"result": result if isinstance(result, str) else "valid"}


print(json.dumps(globals()[sys.argv[1]]()))
