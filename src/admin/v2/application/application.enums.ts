import { type WireEnum, wireEnum } from '../../../foundation/http/wire-enum.js';
import {
  API_AUTH_METHOD_TYPE,
  OIDC_APP_TYPE,
  OIDC_AUTH_METHOD_TYPE,
  OIDC_GRANT_TYPE,
  OIDC_TOKEN_TYPE,
  OIDC_VERSION,
} from '../../../project/client/client.enums.js';

/** The values are those of the first generation. */
function named<Value extends string>(name: string, first: WireEnum<Value>): WireEnum<Value> {
  return { ...first, name };
}

export const API_AUTH_METHOD_TYPE_V2 = named('APIAuthMethodTypeV2', API_AUTH_METHOD_TYPE);
export const OIDC_APPLICATION_TYPE = named('OIDCApplicationTypeV2', OIDC_APP_TYPE);
export const OIDC_AUTH_METHOD_TYPE_V2 = named('OIDCAuthMethodTypeV2', OIDC_AUTH_METHOD_TYPE);
export const OIDC_GRANT_TYPE_V2 = named('OIDCGrantTypeV2', OIDC_GRANT_TYPE);
export const OIDC_TOKEN_TYPE_V2 = named('OIDCTokenTypeV2', OIDC_TOKEN_TYPE);
export const OIDC_VERSION_V2 = named('OIDCVersionV2', OIDC_VERSION);

/** Other numbers than those of the first generation, where the first one is the code. */
export const OIDC_RESPONSE_TYPE_V2 = wireEnum('OIDCResponseTypeV2', {
  OIDC_RESPONSE_TYPE_UNSPECIFIED: [0, 'unspecified'],
  OIDC_RESPONSE_TYPE_CODE: [1, 'code'],
  OIDC_RESPONSE_TYPE_ID_TOKEN: [2, 'id_token'],
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: [3, 'id_token token'],
});

export const APPLICATION_STATE = wireEnum('ApplicationStateV2', {
  APPLICATION_STATE_UNSPECIFIED: [0, 'unspecified'],
  APPLICATION_STATE_ACTIVE: [1, 'active'],
  APPLICATION_STATE_INACTIVE: [2, 'inactive'],
  APPLICATION_STATE_REMOVED: [3, 'removed'],
});

export const APPLICATION_TYPE = wireEnum('ApplicationTypeV2', {
  APPLICATION_TYPE_UNSPECIFIED: [0, 'unspecified'],
  APPLICATION_TYPE_OIDC: [1, 'oidc'],
  APPLICATION_TYPE_API: [2, 'api'],
  APPLICATION_TYPE_SAML: [3, 'ext:saml'],
});

export const APPLICATION_SORTING = wireEnum('ApplicationSortingV2', {
  APPLICATION_SORT_BY_ID: [0, 'id'],
  APPLICATION_SORT_BY_NAME: [1, 'name'],
  APPLICATION_SORT_BY_STATE: [2, 'state'],
  APPLICATION_SORT_BY_CREATION_DATE: [3, 'creationDate'],
  APPLICATION_SORT_BY_CHANGE_DATE: [4, 'changeDate'],
});
