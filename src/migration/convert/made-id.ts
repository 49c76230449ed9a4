import { sha256 } from '../../foundation/crypto/digest.js';
import type { PathKey } from '../../foundation/http/path-key.js';
import type { Report } from './report.js';

const ID_BYTES = 12;

/**
 * An id for an object that has none, the same each time. Derived from the organization as well: an id belongs to one
 * object of the instance, but a name may occur in several realms or tenants.
 */
export function madeId(service: 'auth0' | 'keycloak' | 'zitadel', orgId: string, name: string): string {
  const digest = sha256(JSON.stringify([orgId, name.toLowerCase()]));
  return `${service}-${digest.subarray(0, ID_BYTES).toString('hex')}`;
}

/**
 * The id that an object has in the source, or one made of its name where no path of our API could have it (ADM-098): an
 * application `api`, an organization `default`.
 */
export function keptId(id: string, inPath: PathKey, orgId: string, report: Report): string {
  if (inPath.problem(id) === undefined) return id;
  const made = madeId('keycloak', orgId, id);
  report.note('Ids that have another meaning in the paths of the API: replaced', `${id}: ${made}`);
  return made;
}
