import { expect } from '@jest/globals';
import { startWorld, type World } from '../support/world.js';
import { type IdpApi, type Level, ownerOf, SECRET } from './idp-api.js';

/** The configuration of a provider after a change. */
export const CONFIG = {
  issuer: 'https://other.example.com',
  clientId: 'other',
  scopes: ['openid', 'profile'],
  displayNameMapping: 'OIDC_MAPPING_FIELD_EMAIL',
  usernameMapping: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
};
export const JWT_CONFIG = {
  jwtEndpoint: 'https://p.example.com/a',
  issuer: 'https://p.example.com',
  keysEndpoint: 'https://p.example.com/k',
  headerName: 'X-Other',
};
/** What the types of events begin with. */
export const PREFIXES: Readonly<Record<Level, string>> = { admin: 'iam', management: 'org' };

/** A service, and who owns providers there. */
export async function ownersOfProviders(): Promise<{ world: World; owners: Record<Level, IdpApi> }> {
  const world = await startWorld();
  world.plant(SECRET);
  return { world, owners: { admin: await ownerOf(world, 'admin'), management: await ownerOf(world, 'management') } };
}

/** What a change answers. */
export const changed = (api: IdpApi): object => ({
  details: { sequence: expect.stringMatching(/^\d+$/), changeDate: expect.any(String), resourceOwner: api.ownerId },
});

/** What was journaled of a provider, oldest first. */
export async function eventsOf(
  world: World,
  id: string,
): Promise<Array<{ type: string; payload: Record<string, unknown>; aggregate: string; org: string }>> {
  return world.rows(
    `SELECT type, payload, aggregate_type || ' ' || aggregate_id AS aggregate, org_id AS org FROM event WHERE payload->>'idpConfigId' = $1 ORDER BY position`,
    [id],
  );
}
