import { wireEnum } from '../foundation/http/wire-enum.js';
import { type IdpType, isExtType } from './idp.entity.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const IDP_STATE = wireEnum('IDPState', {
  IDP_STATE_UNSPECIFIED: [0, 'unspecified'],
  IDP_STATE_ACTIVE: [1, 'active'],
  IDP_STATE_INACTIVE: [2, 'inactive'],
});

export const IDP_TYPE = wireEnum('IDPType', {
  IDP_TYPE_UNSPECIFIED: [0, 'unspecified'],
  IDP_TYPE_OIDC: [1, 'oidc'],
  IDP_TYPE_JWT: [3, 'jwt'],
  IDP_TYPE_EXTENSION: [100, 'extension'],
});

/** The type as the API names it: all kinds of extensions alike. */
export function wireTypeOf(type: IdpType): 'oidc' | 'jwt' | 'extension' {
  return isExtType(type) ? 'extension' : type;
}

/** Whose it is: the instance's, or an organization's. */
export const IDP_OWNER_TYPE = wireEnum('IDPOwnerType', {
  IDP_OWNER_TYPE_UNSPECIFIED: [0, 'unspecified'],
  IDP_OWNER_TYPE_SYSTEM: [1, 'instance'],
  IDP_OWNER_TYPE_ORG: [2, 'org'],
});

export const IDP_STYLING_TYPE = wireEnum(
  'IDPStylingType',
  {
    STYLING_TYPE_UNSPECIFIED: [0, 'unspecified'],
    STYLING_TYPE_VENDOR: [1, 'vendor'],
  },
  { STYLING_TYPE_VENDOR: 'STYLING_TYPE_GOOGLE' },
);

export const AUTO_LINKING_OPTION = wireEnum('AutoLinkingOption', {
  AUTO_LINKING_OPTION_UNSPECIFIED: [0, 'unspecified'],
  AUTO_LINKING_OPTION_USERNAME: [1, 'username'],
  AUTO_LINKING_OPTION_EMAIL: [2, 'email'],
});

export const OIDC_MAPPING_FIELD = wireEnum('OIDCMappingField', {
  OIDC_MAPPING_FIELD_UNSPECIFIED: [0, 'unspecified'],
  OIDC_MAPPING_FIELD_PREFERRED_USERNAME: [1, 'preferred_username'],
  OIDC_MAPPING_FIELD_EMAIL: [2, 'email'],
});
