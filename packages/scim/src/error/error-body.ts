import type { JsonObject } from '../resource/write-resource.js';
import { ScimError, type ScimType } from './scim-error.js';

export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** What is known of a refusal, whoever has refused. */
export interface Refused {
  readonly status: number;
  readonly kind: string;
  readonly reason: string;
  readonly message: string;
}

/** RFC 7644 §3.12. The reason in brackets never changes; sentences may. */
export function errorBody(refused: Refused, scimType: ScimType | undefined): JsonObject {
  return {
    schemas: [ERROR_URN],
    ...(scimType === undefined ? {} : { scimType }),
    detail: `${refused.message} [${refused.reason}]`,
    status: String(refused.status),
  };
}

/** The status and the kind of mistake that this protocol has for a refusal of Gatehouse. */
export function translated(
  thrown: unknown,
  refused: Refused,
): { readonly status: number; readonly scimType?: ScimType } {
  if (thrown instanceof ScimError)
    return { status: thrown.status, ...(thrown.scimType === undefined ? {} : { scimType: thrown.scimType }) };
  const { status, kind, reason } = refused;
  // RFC 7644 §3.7.4: 413 for what is too long.
  if (reason === 'body.too_large') return { status: 413 };
  if (reason.startsWith('body.')) return { status, scimType: 'invalidSyntax' };
  if (kind === 'AlreadyExists') return { status, scimType: 'uniqueness' };
  if (kind === 'InvalidArgument') return { status, scimType: 'invalidValue' };
  // 409 tells a directory that somebody has the name; this passes by itself.
  if (kind === 'Aborted') return { status: 503 };
  return { status };
}
