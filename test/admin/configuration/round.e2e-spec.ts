import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminApi, Json } from '../../support/admin-api.js';
import { startWorld, type World } from '../../support/world.js';
import { LOGO, WHOLE } from './whole-file.js';

const V1 = '/management/v1/configuration';

let one: World;
let other: World;
let api: AdminApi;
let apiOfOther: AdminApi;

beforeAll(async () => {
  one = await startWorld();
  other = await startWorld();
  api = await one.manager(['IAM_OWNER']);
  apiOfOther = await other.manager(['IAM_OWNER']);
});
afterAll(async () => {
  await one.close();
  await other.close();
});

// People are those of an instance, and so are the organizations of its tests.
const WANTED = { organizations: ['Bakery', 'Mill'], without: ['managers'] };

const pull = async (from: AdminApi): Promise<Json> =>
  (await from.call<{ configuration: Json }>('POST', `${V1}/_pull`, WANTED)).configuration;

describe('A configuration', () => {
  it('says everything in words of the operations, and is there after it was applied', async () => {
    const outcome = await api.call('POST', `${V1}/_apply`, { configuration: WHOLE });
    expect(outcome['changes'].length).toBeGreaterThan(30);
    const pulled = await pull(api);
    expect(pulled).toMatchObject(asPulled(WHOLE) as object);
  });

  it('is not changed by itself', async () => {
    const configuration = await pull(api);
    expect(await api.call('POST', `${V1}/_plan`, { configuration, prune: true })).toMatchObject({
      changes: [],
      refusals: [],
    });
  });

  it('makes an empty instance the same', async () => {
    const pulled = await pull(api);
    // What it takes from elsewhere is not in it.
    const configuration = withSecrets(pulled);
    const plan = await apiOfOther.call('POST', `${V1}/_plan`, { configuration });
    expect(plan['refusals']).toEqual([]);
    const { fingerprint } = plan;
    await apiOfOther.call('POST', `${V1}/_apply`, { configuration, fingerprint });
    expect(withoutOwners(await pull(apiOfOther))).toEqual(withoutOwners(pulled));
  });
});

/** What was given, as it is shown: without secrets, and with the address of the logo. */
function asPulled(value: unknown): unknown {
  if (value === LOGO) return expect.stringMatching(/^asset:\/assets\/.+\?v=.+$/);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'object' && inner !== null && '$secret' in inner ? [] : [[name, asPulled(inner)] as const],
    ),
  );
}

/** Gives what a configuration has from elsewhere: its secrets, and the logo. */
function withSecrets(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('asset:')) return LOGO;
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  if ('$from' in value) return { $secret: 'hush' };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withSecrets(inner)]));
}

/** The addresses of images contain ids. */
function withoutOwners(configuration: Json): string {
  return JSON.stringify(configuration).replaceAll(/\/assets\/\d+/g, '/assets/owner');
}
