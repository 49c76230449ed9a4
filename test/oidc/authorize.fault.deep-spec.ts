import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPerson } from '../support/builders.js';
import { type Parameters, sendUnchecked } from '../support/http.js';
import { type Arrival, answerOf, RelyingParty } from '../support/relying-party.js';
import { expectRefusal } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  await world.rows(
    "CREATE FUNCTION test_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full at /var/lib/secret' USING ERRCODE = '53100'; END $$",
  );
});
afterAll(() => world.close());

/** The database takes no authorization request, as when its disk is full. */
async function whileFull<T>(work: () => Promise<T>): Promise<T> {
  await world.rows(
    'CREATE TRIGGER test_fail BEFORE INSERT OR UPDATE ON auth_request FOR EACH ROW EXECUTE FUNCTION test_fail()',
  );
  try {
    return await work();
  } finally {
    await world.rows('DROP TRIGGER test_fail ON auth_request');
  }
}

/** A table that every sign-in needs is not there: whatever then happens is a defect of ours. */
async function whileBroken<T>(work: () => Promise<T>): Promise<T> {
  await world.rows('ALTER TABLE session RENAME TO mislaid');
  try {
    return await work();
  } finally {
    await world.rows('ALTER TABLE mislaid RENAME TO session');
  }
}

async function signedIn(name: 'web1' | 'imp1' = 'web1'): Promise<RelyingParty> {
  const rp = new RelyingParty(world, await world.cast[name]);
  await rp.signIn(alice);
  return rp;
}

/** One request after the pages, at the callback: that of an application of the device, whose last page leads there. */
async function readyForCallback(): Promise<{ rp: RelyingParty; path: string }> {
  const rp = new RelyingParty(world, await world.cast.nat1);
  const named = await rp.browser.submit((await rp.authorize()).page!, { loginName: alice.loginName });
  const last = await rp.browser.submitOnce(named.page!, { password: alice.password });
  return { rp, path: /^0; url=(.+)$/.exec(last.header('refresh')!)![1]! };
}

describe('An internal error, once the client and its redirect URI are known (RFC 6749 §4.1.2.1)', () => {
  it.each<[string, Parameters]>([
    ['silently', { prompt: 'none' }],
    ['with a session', {}],
  ])('is sent to the client as temporarily_unavailable while the database is unavailable, %s', async (_, over) => {
    const rp = await signedIn();
    expectRefusal(rp, await whileFull(() => rp.authorize(over)), 'temporarily_unavailable');
    expect(answerOf((await rp.authorize(over)).redirect!)['code']).toBeDefined();
  });

  it('is sent there after the last page; the first one does not write to the database', async () => {
    const stranger = new RelyingParty(world, await world.cast.web1);
    expect((await whileFull(() => stranger.authorize())).page?.status).toBe(200);
    const { rp, path } = await readyForCallback();
    expectRefusal(rp, await whileFull(() => rp.browser.get(path)), 'temporarily_unavailable');
    expect((await rp.browser.get(path)).redirect).toMatch(/code=/);
  });

  it.each(['web1', 'imp1'] as const)(
    'is sent there as server_error, with a reference that is in the log and no other details: %s',
    async (name) => {
      const rp = await signedIn(name);
      const mode = name === 'imp1' ? 'fragment' : 'query';
      const { error_description: description } = expectRefusal(
        rp,
        await whileBroken(() => rp.authorize({ prompt: 'none' })),
        'server_error',
        { mode },
      );
      const [, reference] = /^The service failed\. Reference ([\w-]+)$/.exec(description ?? '') ?? [];
      expect(reference).toBeDefined();
      expect(world.logText()).toContain(`"reference":"${reference}"`);
    },
  );

  it('is sent in the requested response_mode', async () => {
    const rp = await signedIn();
    expectRefusal(rp, await whileFull(() => rp.authorize({ response_mode: 'fragment' })), 'temporarily_unavailable', {
      mode: 'fragment',
    });
    const posted = await whileFull(() => rp.authorize({ response_mode: 'form_post' }));
    expect(rp.toAnswer(posted)).toMatchObject({ error: 'temporarily_unavailable', state: 'S1', iss: world.issuer });
  });
});

describe('An internal error without a redirect URI', () => {
  it('is an error page, because the client could not be read', async () => {
    const unseen = new RelyingParty(world, await world.add.client({ projectId: await world.cast.projectP }));
    await world.rows('ALTER TABLE client_key RENAME TO mislaid');
    const reply = await sendUnchecked(world.origin, { path: unseen.authorizePath() });
    await world.rows('ALTER TABLE mislaid RENAME TO client_key');
    expect([reply.status, reply.location, reply.header('content-type')]).toEqual([
      500,
      undefined,
      'text/html; charset=utf-8',
    ]);
    expect(reply.text).not.toMatch(/client_key|relation|SELECT/);
  });
});

describe('An error of the sign-in itself', () => {
  it('is an error page: a request that was answered already gives the client no second response, not even an error', async () => {
    const { rp, path } = await readyForCallback();
    const arrivals: Arrival[] = await Promise.all(Array.from({ length: 6 }, () => rp.browser.copy().get(path)));
    expect(arrivals.filter(({ redirect }) => redirect?.includes('code='))).toHaveLength(1);
    expect(arrivals.filter(({ page }) => page?.status === 410)).toHaveLength(5);
  });
});
