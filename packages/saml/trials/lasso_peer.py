"""What Lasso, the library of mod_auth_mellon and LemonLDAP, says and understands, in both roles."""

import json
import sys

import lasso

given = json.load(sys.stdin)
METHODS = {"redirect": lasso.HTTP_METHOD_REDIRECT, "post": lasso.HTTP_METHOD_POST}


def server(role):
    one = lasso.Server(given["own"], given["key"], None, given["certificate"])
    one.signatureMethod = getattr(lasso, f"SIGNATURE_METHOD_RSA_{given.get('hash', 'SHA256')}")
    one.addProvider(role, given["metadata"], None, None)
    return one


def sp_request():
    login = lasso.Login(server(lasso.PROVIDER_ROLE_IDP))
    login.initAuthnRequest(given["entity"], METHODS[given["binding"]])
    login.request.nameIDPolicy.format = lasso.SAML2_NAME_IDENTIFIER_FORMAT_PERSISTENT
    login.request.nameIDPolicy.allowCreate = True
    login.request.isPassive = True
    login.msgRelayState = "state/1?a=b c"
    login.buildAuthnRequestMsg()
    body = {"SAMLRequest": login.msgBody} if login.msgBody else {}
    return {"id": login.request.iD, "url": login.msgUrl, "state": login.dump(), **body}


def sp_read():
    """The person, and a request for logout in whose name."""
    login = lasso.Login.newFromDump(server(lasso.PROVIDER_ROLE_IDP), given["state"])
    login.processAuthnResponseMsg(given["SAMLResponse"])
    login.acceptSso()
    assertion = login.assertion
    attributes = {
        attribute.name: ["".join(part.exportToXml() for part in value.any) for value in attribute.attributeValue]
        for statement in assertion.attributeStatement
        for attribute in statement.attribute
    }
    logout = lasso.Logout(login.server)
    logout.setSessionFromDump(login.session.dump())
    logout.initRequest(None, lasso.HTTP_METHOD_REDIRECT)
    logout.buildRequestMsg()
    return {
        "nameId": assertion.subject.nameID.content,
        "attributes": attributes,
        "session": assertion.authnStatement[0].sessionIndex,
        "inResponseTo": assertion.subject.subjectConfirmation.subjectConfirmationData.inResponseTo,
        "logout": logout.msgUrl,
        "logoutId": logout.request.iD,
    }


def sp_read_logout():
    logout = lasso.Logout(server(lasso.PROVIDER_ROLE_IDP))
    logout.processRequestMsg(given["query"])
    return {"nameId": logout.nameIdentifier.content, "id": logout.request.iD}


def idp_answer():
    login = lasso.Login(server(lasso.PROVIDER_ROLE_SP))
    login.processAuthnRequestMsg(given["message"])
    login.validateRequestMsg(True, True)
    login.buildAssertion(
        lasso.SAML2_AUTHN_CONTEXT_PASSWORD_PROTECTED_TRANSPORT,
        given["authnInstant"],
        "",
        given["notBefore"],
        given["notOnOrAfter"],
    )
    attribute = lasso.Saml2Attribute()
    attribute.name = "mail"
    attribute.nameFormat = lasso.SAML2_ATTRIBUTE_NAME_FORMAT_BASIC
    text = lasso.MiscTextNode()
    text.content = "anna & <co>"
    text.textChild = True
    value = lasso.Saml2AttributeValue()
    value.any = (text,)
    attribute.attributeValue = (value,)
    statement = lasso.Saml2AttributeStatement()
    statement.attribute = (attribute,)
    login.assertion.attributeStatement = (statement,)
    login.buildAuthnResponseMsg()
    return {
        "SAMLResponse": login.msgBody,
        "nameId": login.assertion.subject.nameID.content,
        "issuer": login.remoteProviderId,
        "acs": login.msgUrl,
        "requestId": login.request.iD,
    }


print(json.dumps(globals()[sys.argv[1]]()))
