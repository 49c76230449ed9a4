"""Calls of the second generation by the SDK for Python: prints one line for each. ORIGIN and TOKEN say where and as whom."""

import base64
import os

from zitadel_client import Zitadel
from zitadel_client.exceptions import ApiError

ORIGIN, TOKEN = os.environ["ORIGIN"], os.environ["TOKEN"]
sdk = Zitadel.with_access_token(ORIGIN, TOKEN)
LATER = "2100-01-01T00:00:00Z"


def call(holds, operation, request=None):
    """The operation must answer something of which `holds` is true."""
    name = operation.__qualname__
    try:
        answer = operation(request) if request is not None else operation()
        print("ok" if holds(answer) else f"FAILED {answer!r}", name, flush=True)
        return answer
    except Exception as error:  # whatever the SDK makes of it
        body = getattr(error, "response_body", "")
        print("FAILED", name, " ".join(f"{error} {body}".split())[:400], flush=True)
        return None


def refused(code, status, operation, request):
    """The operation must be refused with this code of Connect and this status of HTTP."""
    name = operation.__qualname__
    try:
        operation(request)
        print("FAILED", name, "was not refused", flush=True)
    except ApiError as error:
        seen = (error.response_body.get("code"), error.code)
        print("ok" if seen == (code, status) else f"FAILED {seen}", name, code, flush=True)


def encoded(text):
    return base64.b64encode(text.encode()).decode()


# Organizations and their metadata
orgs = sdk.organizations
org = call(lambda a: a.organization_id, orgs.add_organization, {"name": "Python"}).organization_id
guest = call(lambda a: a.organization_id, orgs.add_organization, {"name": "Python's guest"}).organization_id
call(
    lambda a: [o.name for o in a.result] == ["Python"] and a.details.total_result == "1",
    orgs.list_organizations,
    {"queries": [{"nameQuery": {"name": "pyt", "method": "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE"}}, {"idQuery": {"id": org}}]},
)
call(lambda a: a.change_date, orgs.update_organization, {"organizationId": org, "name": "Python 3"})
call(lambda a: a.change_date, orgs.deactivate_organization, {"organizationId": guest})
call(lambda a: a.change_date, orgs.activate_organization, {"organizationId": guest})
call(
    lambda a: a.set_date,
    orgs.set_organization_metadata,
    {"organizationId": org, "metadata": [{"key": "plan", "value": encoded("gold")}]},
)
call(
    lambda a: [(m.key, m.value) for m in a.metadata] == [("plan", encoded("gold"))],
    orgs.list_organization_metadata,
    {"organizationId": org, "filters": [{"keyFilter": {"key": "plan", "method": "TEXT_FILTER_METHOD_EQUALS"}}]},
)
call(lambda a: a.deletion_date, orgs.delete_organization_metadata, {"organizationId": org, "keys": ["plan"]})
call(lambda a: a.creation_date, orgs.add_organization_domain, {"organizationId": org, "domain": "python.test"})
call(
    lambda a: any(d.domain == "python.test" for d in a.domains),
    orgs.list_organization_domains,
    {"organizationId": org},
)

# Projects, roles and grants
projects = sdk.projects
project = call(lambda a: a.project_id, projects.create_project, {"organizationId": org, "name": "Shop"}).project_id
call(lambda a: a.project.state.value == "PROJECT_STATE_ACTIVE", projects.get_project, {"projectId": project})
call(lambda a: a.change_date, projects.update_project, {"projectId": project, "projectRoleAssertion": True})
stopped = call(lambda a: a.change_date, projects.deactivate_project, {"projectId": project})
call(lambda a: a.change_date == stopped.change_date, projects.deactivate_project, {"projectId": project})
call(lambda a: a.change_date, projects.activate_project, {"projectId": project})
call(
    lambda a: [p.project_role_assertion for p in a.projects] == [True] and a.pagination.total_result == "1",
    projects.list_projects,
    {
        "pagination": {"limit": 10, "asc": True},
        "sortingColumn": "PROJECT_FIELD_NAME_NAME",
        "filters": [{"organizationIdFilter": {"organizationId": org, "type": "OWNED"}}],
    },
)
call(
    lambda a: a.creation_date,
    projects.add_project_role,
    {"projectId": project, "roleKey": "clerk", "displayName": "Clerk"},
)
call(
    lambda a: a.change_date,
    projects.update_project_role,
    {"projectId": project, "roleKey": "clerk", "displayName": "Sales clerk"},
)
call(
    lambda a: [r.display_name for r in a.project_roles] == ["Sales clerk"],
    projects.list_project_roles,
    {"projectId": project, "filters": [{"roleKeyFilter": {"key": "cle", "method": "TEXT_FILTER_METHOD_CONTAINS"}}]},
)
grant = {"projectId": project, "grantedOrganizationId": guest}
call(lambda a: a.creation_date, projects.create_project_grant, {**grant, "roleKeys": ["clerk"]})
call(
    lambda a: [g.granted_role_keys for g in a.project_grants] == [["clerk"]],
    projects.list_project_grants,
    {"filters": [{"inProjectIdsFilter": {"ids": [project]}}]},
)
call(lambda a: a.deletion_date, projects.delete_project_grant, grant)
call(lambda a: a.removal_date, projects.remove_project_role, {"projectId": project, "roleKey": "clerk"})

# Applications and their keys
applications = sdk.applications
web = {
    "projectId": project,
    "name": "Web",
    "oidcConfiguration": {
        "redirectUris": ["https://shop.test/callback"],
        "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
        "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        "applicationType": "OIDC_APP_TYPE_WEB",
        "authMethodType": "OIDC_AUTH_METHOD_TYPE_BASIC",
        "clockSkew": "3s",
    },
}
made = call(lambda a: a.oidc_configuration.client_secret, applications.create_application, web)
api = call(
    lambda a: a.api_configuration.client_id,
    applications.create_application,
    {
        "projectId": project,
        "name": "Api",
        "apiConfiguration": {"authMethodType": "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"},
    },
).application_id
call(
    lambda a: a.application.oidc_configuration.client_id == made.oidc_configuration.client_id,
    applications.get_application,
    {"applicationId": made.application_id},
)
call(
    lambda a: a.change_date,
    applications.update_application,
    {"applicationId": made.application_id, "projectId": project, "name": "Website"},
)
call(
    lambda a: [one.name for one in a.applications] == ["Website"],
    applications.list_applications,
    {"filters": [{"projectIdFilter": {"projectId": project}}, {"typeFilter": "APPLICATION_TYPE_OIDC"}]},
)
secret_of = {"applicationId": made.application_id, "projectId": project}
call(lambda a: a.client_secret, applications.generate_client_secret, secret_of)
key = call(
    lambda a: a.key_details,
    applications.create_application_key,
    {"applicationId": api, "projectId": project, "expirationDate": LATER},
).key_id
call(lambda a: a.expiration_date.year == 2100, applications.get_application_key, {"keyId": key})
call(
    lambda a: [k.key_id for k in a.keys] == [key],
    applications.list_application_keys,
    {"filters": [{"applicationIdFilter": {"applicationId": api}}]},
)
call(
    lambda a: a.deletion_date,
    applications.delete_application_key,
    {"keyId": key, "applicationId": api, "projectId": project},
)
call(lambda a: a.deletion_date, applications.delete_application, secret_of)

# Users, their metadata and credentials
users = sdk.users
human = call(
    lambda a: a.user_id,
    users.add_human_user,
    {
        "organization": {"orgId": org},
        "username": "gigi",
        "profile": {"givenName": "Gigi", "familyName": "Giraffe", "gender": "GENDER_DIVERSE"},
        "email": {"email": "gigi@python.test", "isVerified": True},
        "password": {"password": "Long enough, 1 of them!"},
    },
).user_id
machine = call(
    lambda a: a.id,
    users.create_user,
    {
        "organizationId": org,
        "username": "robot",
        "machine": {"name": "Robot", "accessTokenType": "ACCESS_TOKEN_TYPE_JWT"},
    },
).id
call(
    lambda a: a.user.human.email.is_verified and a.user.state.value == "USER_STATE_ACTIVE",
    users.get_user_by_id,
    {"userId": human},
)
call(
    lambda a: [u.username for u in a.result] == ["robot"],
    users.list_users,
    {
        "query": {"limit": 5},
        "sortingColumn": "USER_FIELD_NAME_USER_NAME",
        "queries": [{"organizationIdQuery": {"organizationId": org}}, {"typeQuery": {"type": "TYPE_MACHINE"}}],
    },
)
call(lambda a: a.change_date, users.update_user, {"userId": human, "human": {"profile": {"nickName": "Gi"}}})
call(lambda a: a.details.change_date, users.lock_user, {"userId": human})
call(lambda a: a.details.change_date, users.unlock_user, {"userId": human})
call(
    lambda a: a.set_date,
    users.set_user_metadata,
    {"userId": human, "metadata": [{"key": "shoe", "value": encoded("44")}]},
)
call(lambda a: a.metadata[0].value == encoded("44"), users.list_user_metadata, {"userId": human})
call(lambda a: a.client_secret, users.add_secret, {"userId": machine})
user_key = call(lambda a: a.key_content, users.add_key, {"userId": machine, "expirationDate": LATER}).key_id
call(
    lambda a: [k.id for k in a.result] == [user_key],
    users.list_keys,
    {"filters": [{"userIdFilter": {"id": machine}}]},
)
pat = call(lambda a: a.token, users.add_personal_access_token, {"userId": machine, "expirationDate": LATER})
call(
    lambda a: [t.id for t in a.result] == [pat.token_id],
    users.list_personal_access_tokens,
    {"filters": [{"userIdFilter": {"id": machine}}]},
)
refused(
    "permission_denied",
    403,
    Zitadel.with_access_token(ORIGIN, pat.token).projects.create_project,
    {"organizationId": org, "name": "Not mine"},
)
call(
    lambda a: a.deletion_date,
    users.remove_personal_access_token,
    {"userId": machine, "tokenId": pat.token_id},
)
call(lambda a: a.details, users.delete_user, {"userId": human})

# Settings and signing keys
settings = sdk.settings
call(lambda a: a.default_organization_id, settings.get_general_settings)
call(lambda a: a.settings.passkeys_type, settings.get_login_settings, {"ctx": {"orgId": org}})
call(lambda a: int(a.settings.min_length) > 0, settings.get_password_complexity_settings, {"ctx": {"instance": True}})
call(lambda a: a.details, settings.set_security_settings, {"enableImpersonation": True})
call(lambda a: a.settings.enable_impersonation, settings.get_security_settings)
keys = sdk.webkeys
web_key = call(lambda a: a.id, keys.create_web_key, {"rsa": {"bits": "RSA_BITS_2048", "hasher": "RSA_HASHER_SHA256"}}).id
call(lambda a: any(k.id == web_key and k.rsa.bits for k in a.web_keys), keys.list_web_keys)
call(lambda a: a.deletion_date, keys.delete_web_key, {"id": web_key})

# What is not there, is there already, or is no request
refused("unimplemented", 404, sdk.sessions.list_sessions, {})
refused("not_found", 404, users.get_user_by_id, {"userId": human})
refused("already_exists", 409, orgs.add_organization, {"name": "Python 3"})
refused("invalid_argument", 400, projects.create_project, {"organizationId": org, "name": ""})
call(lambda a: a.deletion_date, projects.delete_project, {"projectId": project})
call(lambda a: a.deletion_date, orgs.delete_organization, {"organizationId": org})
