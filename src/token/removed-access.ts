import { seconds } from '../foundation/time/duration.js';
import { MAX_ACCESS_TOKEN_SECONDS } from '../org/instance/instance.entity.js';

/** No access token that was issued before can be valid after this, whatever lifetimes are set. */
export const KEEP_END_SECONDS = MAX_ACCESS_TOKEN_SECONDS + seconds.perDay;

/** The key of a removed access among the ended tokens: ids of tokens and families contain no space. */
export function accessOf({ userId, clientId }: { readonly userId: string; readonly clientId: string }): string {
  return `${clientId} ${userId}`;
}

/**
 * Whether the user of an answered request `r` has removed the access of its application since: its code gives no tokens
 * any more. A look-up by the primary key.
 */
export function isRemovedSince(answeredAt: string): string {
  return `EXISTS (
       SELECT 1
       FROM token_end e
       WHERE e.id = r.client_id || ' ' || r.user_id AND extract(epoch FROM r.${answeredAt}) < e.issued_until + 1)`;
}
