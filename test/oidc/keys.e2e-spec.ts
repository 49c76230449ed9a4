import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import type { SigningAlgorithm } from '../../src/org/instance/instance.entity.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { EDITOR } from '../support/builders.js';
import { send } from '../support/http.js';
import { paths, publishedKeys, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let replica: World;
let jwt: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  jwt = new RelyingParty(world, await world.cast.web4);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const kidsAt = async (at: World): Promise<string[]> => (await publishedKeys(at)).keys.map((key) => key.kid!).sort();
const signingKid = async (): Promise<string> =>
  decodeProtectedHeader((await jwt.tokens(await world.cast.alice)).id_token).kid!;
const maintain = async (at = world): Promise<void> => at.get(KeyService).maintain();

/** The other process hears of it within moments. */
async function settle(): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; ) {
    if ((await kidsAt(world)).join() === (await kidsAt(replica)).join()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('The processes publish different keys.');
}

describe('GET /oauth/v2/keys', () => {
  it('publishes public members only, each key under an id of its own, to be cached for five minutes [INT-033]', async () => {
    await maintain();
    const reply = await send(world.origin, { path: paths.keys });
    expect(reply.header('cache-control')).toMatch(/max-age=300/);
    expect(reply.header('set-cookie')).toBeUndefined();
    const { keys } = reply.json<{ keys: Array<Record<string, unknown>> }>();
    expect(keys.length).toBeGreaterThanOrEqual(2); // the one that signs, and the next one
    expect(new Set(keys.map((key) => key['kid'])).size).toBe(keys.length);
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect([key['kty'], key['alg'], key['use'], key['e']]).toEqual(['RSA', 'RS256', 'sig', 'AQAB']);
      expect(Buffer.from(key['n'] as string, 'base64url')).toHaveLength(256);
    }
  });
});

describe('Rotation of keys', () => {
  it('on demand: the next key signs only when every cache can know it; the old one stays published [INT-033]', async () => {
    const before = await signingKid();
    await world.get(KeyService).requestRotation(EDITOR);
    const published = await kidsAt(world);
    expect(await signingKid()).toBe(before);
    world.clock.advance('299s');
    await maintain();
    expect(await signingKid()).toBe(before);
    world.clock.advance('61s');
    await maintain();
    const after = await signingKid();
    expect(after).not.toBe(before);
    expect(published).toContain(after);
    expect(await kidsAt(world)).toEqual(expect.arrayContaining([before, after]));
    await settle();
  });

  it('by age: after 30 days another key signs, and signatures of the old one are still valid', async () => {
    const rp = new RelyingParty(
      world,
      await world.add.client({
        projectId: await world.cast.projectP,
        accessTokenType: 'jwt',
        accessTokenSeconds: 60 * 86_400,
      }),
    );
    const old = await rp.tokens(await world.cast.alice);
    const before = decodeProtectedHeader(old.access_token).kid!;
    world.clock.advance('29d');
    await maintain();
    expect(await signingKid()).toBe(before);
    world.clock.advance('1d');
    await maintain();
    await maintain();
    expect(await signingKid()).not.toBe(before);
    expect((await rp.introspect(old.access_token)).json()).toMatchObject({ active: true });
    expect((await rp.introspect(old.access_token, {}, replica)).json()).toMatchObject({ active: true });
    // Sixty days later nothing that it signed can be alive any more.
    world.clock.advance('61d');
    await maintain();
    expect(await kidsAt(world)).not.toContain(before);
  });

  it('ends the tokens of a key that is removed, also of those that were in use a moment ago', async () => {
    const { access_token: token } = await jwt.tokens(await world.cast.alice);
    const { kid } = decodeProtectedHeader(token);
    for (const at of [world, replica])
      expect((await jwt.introspect(token, {}, at)).json()).toMatchObject({ active: true });
    await world.get(KeyService).requestRotation(EDITOR);
    world.clock.advance('361s');
    await maintain();
    await settle();
    for (const at of [world, replica])
      expect((await jwt.introspect(token, {}, at)).json()).toMatchObject({ active: true });
    await world.get(KeyService).remove(kid!, EDITOR);
    await settle();
    for (const at of [world, replica]) expect((await jwt.introspect(token, {}, at)).json()).toEqual({ active: false });
  });

  it('by several processes at once creates one next and one active key', async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([world, replica, world, replica].map((at) => at.get(KeyService).requestRotation(EDITOR)));
      world.clock.advance('361s');
      await Promise.all([world, replica, world, replica].map((at) => maintain(at)));
      const states = await world.rows<{ state: string; count: string }>(
        'SELECT state, count(*) FROM signing_key GROUP BY state',
      );
      const counts = Object.fromEntries(states.map(({ state, count }) => [state, Number(count)]));
      expect([counts['active'], counts['next'] ?? 0]).toEqual([1, expect.any(Number)]);
      expect(counts['next'] ?? 0).toBeLessThanOrEqual(1);
    }
    await settle();
  });

  it.each<[SigningAlgorithm, string]>([
    ['ES256', 'EC'],
    ['EdDSA', 'OKP'],
    ['RS256', 'RSA'],
  ])('to another algorithm: %s', async (algorithm, kty) => {
    const instances = world.get(InstanceService);
    const { keyRotationSeconds } = await instances.get();
    await instances.setSigning({ signingAlgorithm: algorithm, keyRotationSeconds }, EDITOR);
    await maintain();
    world.clock.advance('361s');
    await maintain();
    const tokens = await jwt.tokens(await world.cast.alice);
    for (const token of [tokens.id_token, tokens.access_token])
      expect(decodeProtectedHeader(token).alg).toBe(algorithm);
    await jwt.verify(tokens.id_token);
    const key = (await publishedKeys(world)).keys.find(({ kid }) => kid === decodeProtectedHeader(tokens.id_token).kid);
    expect(key).toMatchObject({ kty, alg: algorithm, use: 'sig' });
    expect(key).not.toHaveProperty('d');
    expect((await jwt.userinfo(tokens.access_token)).status).toBe(200);
    await settle();
    expect((await jwt.userinfo(tokens.access_token, replica)).status).toBe(200);
    expect(
      (await send(world.origin, { path: paths.discovery })).json<{ id_token_signing_alg_values_supported: string[] }>()
        .id_token_signing_alg_values_supported,
    ).toContain(algorithm);
  });
});

it('keeps private keys sealed', async () => {
  const rows = await world.rows<{ sealed: string; published: string }>(
    'SELECT private_key AS sealed, public_key::text AS published FROM signing_key',
  );
  for (const { sealed, published } of rows) {
    expect(sealed).toMatch(/^v1\.[\w-]+\.[\w-]+$/);
    expect(published).not.toContain('"d"');
  }
});
