import { wireEnum } from '../foundation/http/wire-enum.js';

// Names and numbers in the administrative API and in the documents of a migration, each with our word.

export const GENDER = wireEnum('Gender', {
  GENDER_UNSPECIFIED: [0, ''],
  GENDER_FEMALE: [1, 'female'],
  GENDER_MALE: [2, 'male'],
  GENDER_DIVERSE: [3, 'diverse'],
});

export const USER_STATE = wireEnum('UserState', {
  USER_STATE_UNSPECIFIED: [0, 'unspecified'],
  USER_STATE_ACTIVE: [1, 'active'],
  USER_STATE_INACTIVE: [2, 'inactive'],
  USER_STATE_DELETED: [3, 'deleted'],
  USER_STATE_LOCKED: [4, 'locked'],
  USER_STATE_SUSPEND: [5, 'suspended'],
  USER_STATE_INITIAL: [6, 'initial'],
});

export const USER_TYPE = wireEnum('Type', {
  TYPE_UNSPECIFIED: [0, 'unspecified'],
  TYPE_HUMAN: [1, 'human'],
  TYPE_MACHINE: [2, 'service'],
});

export const ACCESS_TOKEN_TYPE = wireEnum('AccessTokenType', {
  ACCESS_TOKEN_TYPE_BEARER: [0, 'opaque'],
  ACCESS_TOKEN_TYPE_JWT: [1, 'jwt'],
});

/** The `typ` in the header of JWT access tokens, for service users and applications. */
export const ACCESS_TOKEN_HEADER_TYPE = wireEnum('AccessTokenHeaderType', {
  ACCESS_TOKEN_HEADER_TYPE_UNSPECIFIED: [0, 'unspecified'],
  ACCESS_TOKEN_HEADER_TYPE_AT_JWT: [1, 'at+jwt'],
  ACCESS_TOKEN_HEADER_TYPE_JWT: [2, 'JWT'],
});

/** The form in which a key is handed out: a JSON document. */
export const KEY_TYPE = wireEnum('KeyType', {
  KEY_TYPE_UNSPECIFIED: [0, 'unspecified'],
  KEY_TYPE_JSON: [1, 'json'],
});
