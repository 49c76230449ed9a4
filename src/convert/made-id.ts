import { sha256 } from '../foundation/crypto/digest.js';

const ID_BYTES = 12;

/**
 * An id for an object that has none, the same each time. Derived from the organization as well: an id belongs to one
 * object of the instance, but a name may occur in several realms or tenants.
 */
export function madeId(service: 'auth0' | 'keycloak', orgId: string, name: string): string {
  const digest = sha256(JSON.stringify([orgId, name.toLowerCase()]));
  return `${service}-${digest.subarray(0, ID_BYTES).toString('hex')}`;
}
