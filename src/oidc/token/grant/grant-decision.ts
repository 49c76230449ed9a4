import { types } from 'node:util';
import type { GrantRefusal } from '../../../project/client/ext-grant.js';
import { isUserId } from '../../../user/user-id.js';

/** A decision that makes sense. */
export type ReadDecision =
  | { readonly userId: string; readonly amr: readonly string[]; readonly authTime: Date }
  | { readonly error: GrantRefusal['error']; readonly description: string };

/** RFC 6749 §5.2; the endpoint itself says the others. */
const ERRORS: readonly GrantRefusal['error'][] = [
  'invalid_request',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
];
/** RFC 6749 §5.2, `error_description`. */
const DESCRIPTION = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const USUAL_DESCRIPTION = 'The grant is not valid.';
/** RFC 8176 §2. */
const AMR: ReadonlySet<unknown> = new Set(
  'face fpt geo hwk iris kba mca mfa otp pin pop pwd rba retina sc sms swk tel user vbm wia'.split(' '),
);

/** What an extension has answered. @throws Error that says what is wrong with it */
export function readDecision(answer: unknown, now: Date): ReadDecision {
  if (typeof answer !== 'object' || answer === null) throw new Error('Its decision is neither a user nor a refusal.');
  const {
    userId,
    amr = [],
    authTime = now,
    error,
    description = USUAL_DESCRIPTION,
  } = answer as Record<string, unknown>;
  if ((userId === undefined) === (error === undefined))
    throw new Error('Its decision must be either a user or a refusal.');
  if (error !== undefined) {
    const known = ERRORS.find((code) => code === error);
    if (!known) throw new Error(`Its error must be one of ${ERRORS.join(', ')}.`);
    if (typeof description !== 'string' || !DESCRIPTION.test(description))
      throw new Error('Its description must be 1 to 200 printable ASCII characters without quotes and backslashes.');
    return { error: known, description };
  }
  if (typeof userId !== 'string' || !isUserId(userId)) throw new Error('Its userId is not the ID of a user.');
  const words: readonly unknown[] | undefined = Array.isArray(amr) ? Array.from<unknown>(amr) : undefined;
  if (!words?.every((word) => AMR.has(word))) throw new Error('Its amr must be a list of words of RFC 8176.');
  const time = types.isDate(authTime) ? authTime.getTime() : Number.NaN;
  if (!(time >= 0 && time <= now.getTime()))
    throw new Error('Its authTime must be a time since 1970 that is not in the future.');
  // Copies, since an extension may keep what it has answered.
  return { userId, amr: [...new Set(words as readonly string[])], authTime: new Date(time) };
}
