import type { AccessTokenHeaderType } from '../../../foundation/config/config.js';
import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import type { ACCESS_TOKEN_HEADER_TYPE } from '../../../user/user.enums.js';

export type SentHeaderType = ValueOf<typeof ACCESS_TOKEN_HEADER_TYPE>;

export const HEADER_TYPE = {
  description:
    'The `typ` in the header of JWT access tokens: `at+jwt` (RFC 9068), or `JWT` for resource servers that refuse any other. ' +
    'If unspecified on creation: `at+jwt`, or `JWT` if URN_WORD is not `service`; in an update: unchanged.',
  example: 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
};

/** Omits the member if nothing was chosen, so that the default or the current value applies. */
export function chosenHeaderType(sent: SentHeaderType): { accessTokenHeaderType?: AccessTokenHeaderType } {
  return sent === 'unspecified' ? {} : { accessTokenHeaderType: sent };
}
