import type { Client } from '../../project/client/client.js';
import type { ClaimsPlace } from './claims-contributor.js';
import type { AskedClaims } from './contributed-claims.js';
import type { Subject } from './subject.js';

/** The question to extensions about the user of a token. */
export function askedClaims(
  place: ClaimsPlace,
  { userId, orgId, kind }: Subject,
  client: Client | undefined,
  scopes: readonly string[],
  byName: readonly string[],
): AskedClaims {
  return {
    place,
    userId,
    orgId,
    kind,
    client: client && { id: client.id, projectId: client.project.id },
    scopes,
    byName,
  };
}
