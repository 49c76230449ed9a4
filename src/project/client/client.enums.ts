import { wireEnum } from '../../foundation/http/wire-enum.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const APP_STATE = wireEnum('AppState', {
  APP_STATE_UNSPECIFIED: [0, 'unspecified'],
  APP_STATE_ACTIVE: [1, 'active'],
  APP_STATE_INACTIVE: [2, 'inactive'],
});

export const APP_ADMINISTRATION = wireEnum('AppAdministration', {
  APP_ADMINISTRATION_OWN_ORG: [0, 'own_org'],
  APP_ADMINISTRATION_ALLOWED: [1, 'allowed'],
});

export const OIDC_RESPONSE_TYPE = wireEnum('OIDCResponseType', {
  OIDC_RESPONSE_TYPE_CODE: [0, 'code'],
  OIDC_RESPONSE_TYPE_ID_TOKEN: [1, 'id_token'],
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: [2, 'id_token token'],
});

export const OIDC_GRANT_TYPE = wireEnum('OIDCGrantType', {
  OIDC_GRANT_TYPE_AUTHORIZATION_CODE: [0, 'authorization_code'],
  OIDC_GRANT_TYPE_IMPLICIT: [1, 'implicit'],
  OIDC_GRANT_TYPE_REFRESH_TOKEN: [2, 'refresh_token'],
  OIDC_GRANT_TYPE_DEVICE_CODE: [3, 'device_code'],
  OIDC_GRANT_TYPE_TOKEN_EXCHANGE: [4, 'token_exchange'],
});

export const OIDC_APP_TYPE = wireEnum('OIDCAppType', {
  OIDC_APP_TYPE_WEB: [0, 'web'],
  OIDC_APP_TYPE_USER_AGENT: [1, 'user_agent'],
  OIDC_APP_TYPE_NATIVE: [2, 'native'],
});

export const OIDC_AUTH_METHOD_TYPE = wireEnum('OIDCAuthMethodType', {
  OIDC_AUTH_METHOD_TYPE_BASIC: [0, 'client_secret_basic'],
  OIDC_AUTH_METHOD_TYPE_POST: [1, 'client_secret_post'],
  OIDC_AUTH_METHOD_TYPE_NONE: [2, 'none'],
  OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: [3, 'private_key_jwt'],
  OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: [100, 'tls_client_auth'],
  OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: [101, 'self_signed_tls_client_auth'],
});

export const API_AUTH_METHOD_TYPE = wireEnum('APIAuthMethodType', {
  API_AUTH_METHOD_TYPE_BASIC: [0, 'client_secret_basic'],
  API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: [1, 'private_key_jwt'],
  API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: [100, 'tls_client_auth'],
  API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: [101, 'self_signed_tls_client_auth'],
});

export const ASSERTION_AUDIENCE = wireEnum('AssertionAudience', {
  ASSERTION_AUDIENCE_UNSPECIFIED: [0, 'unspecified'],
  ASSERTION_AUDIENCE_ANY: [1, 'any'],
  ASSERTION_AUDIENCE_ISSUER_ONLY: [2, 'issuer_only'],
});

export const TLS_CLIENT_NAME_TYPE = wireEnum('TlsClientNameType', {
  TLS_CLIENT_NAME_TYPE_UNSPECIFIED: [0, 'unspecified'],
  TLS_CLIENT_NAME_TYPE_SUBJECT_DN: [1, 'subject_dn'],
  TLS_CLIENT_NAME_TYPE_SAN_DNS: [2, 'san_dns'],
  TLS_CLIENT_NAME_TYPE_SAN_URI: [3, 'san_uri'],
  TLS_CLIENT_NAME_TYPE_SAN_IP: [4, 'san_ip'],
  TLS_CLIENT_NAME_TYPE_SAN_EMAIL: [5, 'san_email'],
});

export const SECURITY_PROFILE = wireEnum('SecurityProfile', {
  SECURITY_PROFILE_UNSPECIFIED: [0, 'unspecified'],
  SECURITY_PROFILE_NONE: [1, 'none'],
  SECURITY_PROFILE_FAPI_2_0: [2, 'fapi_2_0'],
});

export const APP_ORIGIN = wireEnum('AppOrigin', {
  APP_ORIGIN_UNSPECIFIED: [0, 'unspecified'],
  APP_ORIGIN_ADMINISTRATOR: [1, 'administrator'],
  APP_ORIGIN_REGISTERED: [2, 'registered'],
  APP_ORIGIN_DOCUMENT: [3, 'document'],
});

export const OIDC_VERSION = wireEnum('OIDCVersion', { OIDC_VERSION_1_0: [0, '1.0'] });

export const OIDC_TOKEN_TYPE = wireEnum('OIDCTokenType', {
  OIDC_TOKEN_TYPE_BEARER: [0, 'opaque'],
  OIDC_TOKEN_TYPE_JWT: [1, 'jwt'],
});
