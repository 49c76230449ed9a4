import { choice, choices, type EntryOf, flag, Message, part, span, text, texts } from '../document/field.js';
import { idIfAny, idOf, ownId } from './ids.js';
import { storedSecret } from './stored-secret.js';
import { headerType } from './token-header-type.js';

const RESPONSE_TYPE = {
  OIDC_RESPONSE_TYPE_CODE: [0, 'code'],
  OIDC_RESPONSE_TYPE_ID_TOKEN: [1, 'id_token'],
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: [2, 'id_token token'],
} as const;
const GRANT_TYPE = {
  OIDC_GRANT_TYPE_AUTHORIZATION_CODE: [0, 'authorization_code'],
  OIDC_GRANT_TYPE_IMPLICIT: [1, 'implicit'],
  OIDC_GRANT_TYPE_REFRESH_TOKEN: [2, 'refresh_token'],
  OIDC_GRANT_TYPE_DEVICE_CODE: [3, 'device_code'],
  OIDC_GRANT_TYPE_TOKEN_EXCHANGE: [4, 'token_exchange'],
} as const;
const APP_TYPE = {
  OIDC_APP_TYPE_WEB: [0, 'web'],
  OIDC_APP_TYPE_USER_AGENT: [1, 'user_agent'],
  OIDC_APP_TYPE_NATIVE: [2, 'native'],
} as const;
const OIDC_AUTH_METHOD = {
  OIDC_AUTH_METHOD_TYPE_BASIC: [0, 'client_secret_basic'],
  OIDC_AUTH_METHOD_TYPE_POST: [1, 'client_secret_post'],
  OIDC_AUTH_METHOD_TYPE_NONE: [2, 'none'],
  OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: [3, 'private_key_jwt'],
} as const;
const API_AUTH_METHOD = {
  API_AUTH_METHOD_TYPE_BASIC: [0, 'client_secret_basic'],
  API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: [1, 'private_key_jwt'],
} as const;
const TOKEN_TYPE = { OIDC_TOKEN_TYPE_BEARER: [0, 'opaque'], OIDC_TOKEN_TYPE_JWT: [1, 'jwt'] } as const;
const APP_STATE = {
  APP_STATE_UNSPECIFIED: [0, 'unspecified'],
  APP_STATE_ACTIVE: [1, 'active'],
  APP_STATE_INACTIVE: [2, 'inactive'],
} as const;

const NAME = text(2, { min: 1, max: 200 });
const URIS = { max: 2_000, maxItems: 100 };

const SECRET_HINT = 'is not read: send secretHash, the SHA-256 of the secret in base64, or a slow hash of it';
const HINTS = { hints: { clientSecret: SECRET_HINT, hashedClientSecret: SECRET_HINT, clientSecretHash: SECRET_HINT } };

const LOGIN_VERSION = new Message({
  loginV1: part(1, new Message({})),
  loginV2: part(2, new Message({ baseUri: text(1, { max: 2_000 }) })),
});
const OIDC_SETTINGS = new Message(
  {
    projectId: idOf(1),
    name: NAME,
    redirectUris: texts(3, URIS),
    responseTypes: choices(4, RESPONSE_TYPE),
    grantTypes: choices(5, GRANT_TYPE),
    appType: choice(6, APP_TYPE),
    authMethodType: choice(7, OIDC_AUTH_METHOD),
    postLogoutRedirectUris: texts(8, URIS),
    version: choice(9, { OIDC_VERSION_1_0: [0, '1.0'] }),
    devMode: flag(10),
    accessTokenType: choice(11, TOKEN_TYPE),
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
    accessTokenHeaderType: headerType(104),
    strictAuthMethod: flag(105),
  },
  ['projectId', 'name'],
  HINTS,
);
const API_SETTINGS = new Message(
  { projectId: idOf(1), name: NAME, authMethodType: choice(3, API_AUTH_METHOD), strictAuthMethod: flag(100) },
  ['projectId', 'name'],
  HINTS,
);

/** What both kinds contain besides their settings. */
const APP = { appId: ownId(1), clientId: idIfAny(100), state: choice(101, APP_STATE), secretHash: storedSecret(102) };

/** An entry of `apiApps`. */
export const API_APP = new Message({ ...APP, app: part(2, API_SETTINGS) }, ['app'], HINTS);
/** An entry of `oidcApps`. */
export const OIDC_APP = new Message({ ...APP, app: part(2, OIDC_SETTINGS) }, ['app'], HINTS);

export type OidcSettings = EntryOf<typeof OIDC_SETTINGS.fields>;
