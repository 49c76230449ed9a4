import {
  API_AUTH_METHOD_TYPE,
  APP_ORIGIN,
  APP_STATE,
  ASSERTION_AUDIENCE,
  OIDC_APP_TYPE,
  OIDC_AUTH_METHOD_TYPE,
  OIDC_GRANT_TYPE,
  OIDC_RESPONSE_TYPE,
  OIDC_TOKEN_TYPE,
  OIDC_VERSION,
  SECURITY_PROFILE,
  TLS_CLIENT_NAME_TYPE,
} from '../../project/client/client.enums.js';
import type { Configured } from '../../project/client/client-settings.js';
import { MAX_GRANT_NAME_CHARACTERS, MOST_EXT_GRANTS } from '../../project/client/ext-grant.js';
import { MAX_REQUEST_URI_CHARACTERS, MOST_REQUEST_URIS } from '../../project/client/request-uri.js';
import { ACCESS_TOKEN_HEADER_TYPE } from '../../user/user.enums.js';
import {
  choice,
  choices,
  type EntryOf,
  type Fields,
  flag,
  Message,
  part,
  span,
  struct,
  text,
  texts,
} from '../document/field.js';
import { idIfAny, idOf, ownId } from './ids.js';
import { storedSecret } from './stored-secret.js';

const NAME = text(2, { min: 1, max: 200 });
const URIS = { max: 2_000, maxItems: 100 };

const SECRET_HINT = 'is not read: send secretHash, the SHA-256 of the secret in base64, or a slow hash of it';
const HINTS = { hints: { clientSecret: SECRET_HINT, hashedClientSecret: SECRET_HINT, clientSecretHash: SECRET_HINT } };

/** Settings for assertions, with the same numbers in both kinds of application. */
const ASSERTION_SETTINGS = {
  jwks: struct(106),
  jwksUri: text(107, { max: 2_000 }),
  assertionAudience: choice(108, ASSERTION_AUDIENCE),
  requireAssertionId: flag(109),
};

const LOGIN_VERSION = new Message({
  loginV1: part(1, new Message({})),
  loginV2: part(2, new Message({ baseUri: text(1, { max: 2_000 }) })),
});
const OIDC_SETTINGS = new Message(
  {
    projectId: idOf(1),
    name: NAME,
    redirectUris: texts(3, URIS),
    responseTypes: choices(4, OIDC_RESPONSE_TYPE),
    grantTypes: choices(5, OIDC_GRANT_TYPE),
    appType: choice(6, OIDC_APP_TYPE),
    authMethodType: choice(7, OIDC_AUTH_METHOD_TYPE),
    postLogoutRedirectUris: texts(8, URIS),
    version: choice(9, OIDC_VERSION),
    devMode: flag(10),
    accessTokenType: choice(11, OIDC_TOKEN_TYPE),
    accessTokenRoleAssertion: flag(12),
    idTokenRoleAssertion: flag(13),
    idTokenUserinfoAssertion: flag(14),
    clockSkew: span(15),
    additionalOrigins: texts(16, { max: 500, maxItems: 100 }),
    skipNativeAppSuccessPage: flag(17),
    backChannelLogoutUri: text(18, { max: 2_000 }),
    loginVersion: part(19, LOGIN_VERSION),
    consentPage: flag(100),
    flatRolesClaim: flag(101),
    accessTokenLifetime: span(102),
    idTokenLifetime: span(103),
    accessTokenHeaderType: choice(104, ACCESS_TOKEN_HEADER_TYPE),
    strictAuthMethod: flag(105),
    ...ASSERTION_SETTINGS,
    origin: choice(111, APP_ORIGIN),
    about: struct(130),
    dpopBoundAccessTokens: flag(120),
    securityProfile: choice(115, SECURITY_PROFILE),
    tlsClientNameType: choice(116, TLS_CLIENT_NAME_TYPE),
    tlsClientName: text(118, { max: 1_000 }),
    tlsBoundAccessTokens: flag(119),
    extensionGrants: texts(121, { max: MAX_GRANT_NAME_CHARACTERS, maxItems: MOST_EXT_GRANTS }),
    requireSignedRequests: flag(113),
    requirePushedRequests: flag(117),
    requestUris: texts(114, { max: MAX_REQUEST_URI_CHARACTERS, maxItems: MOST_REQUEST_URIS }),
    signedUserinfo: flag(123),
  } satisfies Readonly<Record<Configured, Fields[string]>> & Fields,
  ['projectId', 'name'],
  HINTS,
);
const API_SETTINGS = new Message(
  {
    projectId: idOf(1),
    name: NAME,
    authMethodType: choice(3, API_AUTH_METHOD_TYPE),
    strictAuthMethod: flag(100),
    ...ASSERTION_SETTINGS,
    tlsClientNameType: choice(116, TLS_CLIENT_NAME_TYPE),
    tlsClientName: text(118, { max: 1_000 }),
  },
  ['projectId', 'name'],
  HINTS,
);

/** The members of both kinds of application besides their settings. */
const APP = { appId: ownId(1), clientId: idIfAny(100), state: choice(101, APP_STATE), secretHash: storedSecret(102) };

/** An entry of `apiApps`. */
export const API_APP = new Message({ ...APP, app: part(2, API_SETTINGS) }, ['app'], HINTS);
/** An entry of `oidcApps`. */
export const OIDC_APP = new Message({ ...APP, app: part(2, OIDC_SETTINGS) }, ['app'], HINTS);

export type OidcAppSettings = EntryOf<typeof OIDC_SETTINGS.fields>;
