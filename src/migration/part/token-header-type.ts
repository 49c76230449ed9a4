import { choice } from '../document/field.js';

/** The `typ` header of JWT access tokens. */
export const headerType = (number: number) =>
  choice(number, {
    ACCESS_TOKEN_HEADER_TYPE_UNSPECIFIED: [0, 'unspecified'],
    ACCESS_TOKEN_HEADER_TYPE_AT_JWT: [1, 'at+jwt'],
    ACCESS_TOKEN_HEADER_TYPE_JWT: [2, 'JWT'],
  });
