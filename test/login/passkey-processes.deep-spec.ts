import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { AccountHolder, tokenFor } from '../account/account-turns.js';
import { AdminApi } from '../support/admin-api.js';
import { Authenticator } from '../support/authenticator.js';
import type { Arrival, Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { Processes, settingsBeside } from '../support/processes.js';
import { RelyingParty } from '../support/relying-party.js';
import type { ServiceProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';
import { afterPassword, setPolicy } from './factor-turns.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, expectRefused, pageOf } from './turns.js';

const ME = '/auth/v1/users/me';
const SYSTEM = 'openid urn:service:iam:org:project:id:service:aud';
const COOKIE = '__Host-gatehouse';
const FOUND = 303;

/** As far as the page that makes a passkey. */
async function toSetUp(client: RelyingParty, person: TestPerson): Promise<Page> {
  const offer = await afterPassword(client, person);
  const setUp = pageOf(await client.browser.submit(offer, { factor: 'passkey' }));
  expect(setUp.heading).toBe('Create a passkey');
  return setUp;
}

const make = async (client: RelyingParty, setUp: Page, device: Authenticator): Promise<Page> =>
  pageOf(await client.browser.submit(setUp, { credential: device.create(optionsOf(setUp)) }));

/** Names the new passkey, and keeps the recovery codes. */
async function finish(world: World, client: RelyingParty, naming: Page): Promise<Arrival> {
  expect(naming.heading).toBe('Passkey created');
  const codes = pageOf(await client.browser.submit(naming, { name: 'Phone' }));
  for (const code of codes.all('.codes code')) world.plant(code.text);
  return client.browser.submit(codes, { decision: 'kept' });
}

/** An organization where each user has to add a second factor, and a passkey is the first that is offered. */
async function orgThatDemandsFactors(world: World): Promise<string> {
  const { id } = await world.add.org();
  await setPolicy(world, id, { forceMfa: true });
  return id;
}

const keysOf = async (world: World, { id }: TestPerson): Promise<string[]> =>
  (await world.get(PasskeyService).list(id)).map(({ kind, name }) => `${kind} ${name}`);
const sessionsOf = (world: World, { id }: TestPerson): Promise<object[]> =>
  world.rows('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', [id]);

describe('A passkey ceremony at two replicas', () => {
  let world: World;
  let replica: World;
  let demanding: string;
  let web1: RelyingParty;
  let person: TestPerson;

  beforeAll(async () => {
    world = await startWorld({ publicUrl: ORIGIN });
    replica = await startWorld({ replicaOf: world });
    demanding = await orgThatDemandsFactors(world);
  });
  afterAll(async () => {
    await replica.close();
    await world.close();
  });
  beforeEach(async () => {
    world.clock.advance('1m');
    web1 = new RelyingParty(world, await world.cast.console);
    person = await world.add.person({ orgId: (await world.add.org()).id });
  });

  it('begins a sign-in at the one, and ends it at the other', async () => {
    const device = await withKey(world, person);
    for (const [one, other] of [
      [world, replica],
      [replica, world],
    ] as const) {
      const client = web1.elsewhere().goTo(one);
      const page = await begin(client);
      const arrival = await answer(client.goTo(other), page, device);
      expect(client.toAnswer(arrival).code).toBeDefined();
      expect(client.goTo(one).toAnswer(await client.authorize({ prompt: 'none' })).code).toBeDefined();
    }
    expect(await sessionsOf(world, person)).toHaveLength(2);
  });

  it('makes a passkey with a page of the one at the other, which signs in at both', async () => {
    const user = await world.add.person({ orgId: demanding });
    const setUp = await toSetUp(web1.goTo(world), user);
    const device = new Authenticator(ORIGIN);
    const naming = await make(web1.goTo(replica), setUp, device);
    expect(web1.toAnswer(await finish(world, web1.goTo(world), naming)).code).toBeDefined();
    expect(await keysOf(world, user)).toEqual(['passkey Phone']);
    for (const place of [world, replica]) {
      const client = web1.elsewhere().goTo(place);
      expect(client.toAnswer(await answer(client, await begin(client), device)).code).toBeDefined();
    }
  });

  it('adds one on the account page, with a page of the one at the other', async () => {
    const holder = new AccountHolder(world, person);
    await holder.open(paths.accountKeys);
    const csrf = await tokenFor(holder, paths.accountKeys);
    const setUp = pageOf(await holder.browser.post(paths.accountKeys, { csrf, decision: 'add-passkey' }));
    holder.browser.at = replica;
    const credential = new Authenticator(ORIGIN).create(optionsOf(setUp));
    expect(pageOf(await holder.browser.submit(setUp, { credential })).heading).toBe('Passkey created');
    expect(await keysOf(world, person)).toEqual(['passkey Passkey']);
  });

  it('adds one over the API, with the options of the one at the other', async () => {
    const { access_token: token } = await web1.tokens(person, { scope: SYSTEM });
    const [one, other] = [new AdminApi(world.origin, token), new AdminApi(replica.origin, token)];
    const { key } = await one.call<{ key: { publicKey: string } }>('POST', `${ME}/passwordless`);
    const options = JSON.stringify(JSON.parse(Buffer.from(key.publicKey, 'base64').toString()).publicKey);
    const publicKeyCredential = Buffer.from(new Authenticator(ORIGIN).create(options)).toString('base64');
    const verification = { publicKeyCredential, tokenName: 'Mine' };
    expect(await other.verdict('POST', `${ME}/passwordless/_verify`, { verification })).toBe('200');
    expect(await one.verdict('POST', `${ME}/passwordless/_verify`, { verification })).not.toBe('200');
    expect(await keysOf(world, person)).toEqual(['passkey Mine']);
  });

  it('begins one session, although both get the answer at once [PKY-001]', async () => {
    const device = await withKey(world, person);
    const page = await begin(web1);
    const credential = device.get(optionsOf(page));
    const copies = [world, replica, world, replica].map((place) => {
      const copy = web1.browser.copy();
      copy.at = place;
      return copy;
    });
    const replies = await Promise.all(copies.map((browser) => browser.submitOnce(page, { credential })));
    expect(replies.map(({ status }) => status)).toEqual(copies.map(() => FOUND));
    expect(new Set(copies.map(({ cookies }) => cookies.get(COOKIE))).size).toBe(1);
    expect(await sessionsOf(world, person)).toHaveLength(1);
    world.clock.advance('11s');
    for (const place of [world, replica]) {
      const late = web1.browser.copy();
      late.at = place;
      expectRefused(await late.submitOnce(page, { credential }), 403);
    }
  });

  it('stores one key, although both get the answer at once [PKY-008]', async () => {
    const user = await world.add.person({ orgId: demanding });
    const setUp = await toSetUp(web1, user);
    const credential = new Authenticator(ORIGIN).create(optionsOf(setUp));
    const copies = [world, replica].map((place) => {
      const copy = web1.browser.copy();
      copy.at = place;
      return copy;
    });
    const replies = await Promise.all(copies.map((browser) => browser.submitOnce(setUp, { credential })));
    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses[0]).toBeLessThan(400);
    expect(statuses[1]).toBeLessThan(500);
    expect(await keysOf(world, user)).toHaveLength(1);
  });

  it('counts a key once, although each gets an answer with the same number at once [PKY-012]', async () => {
    const device = await withKey(world, person, 'passkey', new Authenticator(ORIGIN, 0x05));
    const clients = [world, replica].map((place) => web1.elsewhere().goTo(place));
    const pages = await Promise.all(clients.map((client) => begin(client)));
    const arrivals = await Promise.all(
      clients.map((client, index) => answer(client, pages[index]!, device, { counter: 7 })),
    );
    expect(arrivals.filter(({ redirect }) => redirect?.includes('code='))).toHaveLength(1);
    expect(await sessionsOf(world, person)).toHaveLength(1);
  });
});

describe('A passkey ceremony and kill -9', () => {
  /** Makes the people and clients; the processes that are killed stand on its database. */
  let world: World;
  let demanding: string;
  let orgId: string;
  const processes = new Processes(() => ({ ...settingsBeside(world), LOGIN_LIMITS: 'off' }));

  beforeAll(async () => {
    world = await startWorld({ publicUrl: ORIGIN, realTime: true });
    orgId = (await world.add.org()).id;
    demanding = await orgThatDemandsFactors(world);
  });
  afterAll(async () => {
    await processes.end();
    await world.close();
  });

  const clientAt = async (service: ServiceProcess): Promise<RelyingParty> =>
    new RelyingParty(world, await world.cast.console).goTo(service);

  it('between the two steps of a sign-in loses nothing: it ends at the next process', async () => {
    const person = await world.add.person({ orgId });
    const device = await withKey(world, person);
    const first = await processes.any();
    const web1 = await clientAt(first);
    const page = await begin(web1);
    await first.kill();
    web1.goTo(await processes.start());
    expect(web1.toAnswer(await answer(web1, page, device)).code).toBeDefined();
    expect(await sessionsOf(world, person)).toHaveLength(1);
  });

  it('between the two steps of a registration loses nothing: the key is stored by the next process', async () => {
    const person = await world.add.person({ orgId: demanding });
    const first = await processes.any();
    const web1 = await clientAt(first);
    const setUp = await toSetUp(web1, person);
    await first.kill();
    const second = await processes.start();
    const device = new Authenticator(ORIGIN);
    const naming = await make(web1.goTo(second), setUp, device);
    await second.kill();
    const third = await processes.start();
    web1.goTo(third);
    expect(web1.toAnswer(await finish(world, web1, naming)).code).toBeDefined();
    expect(await keysOf(world, person)).toEqual(['passkey Phone']);
    const elsewhere = web1.elsewhere().goTo(third);
    expect(elsewhere.toAnswer(await answer(elsewhere, await begin(elsewhere), device)).code).toBeDefined();
  });

  it('right after the answer leaves the session, and the challenge spent [PKY-001]', async () => {
    const person = await world.add.person({ orgId });
    const device = await withKey(world, person);
    const first = await processes.any();
    const web1 = await clientAt(first);
    const page = await begin(web1);
    const credential = device.get(optionsOf(page));
    const planted = web1.browser.copy();
    planted.cookies.delete(COOKIE);
    expect((await web1.browser.submitOnce(page, { credential })).status).toBe(FOUND);
    await first.kill();
    const second = await processes.start();
    planted.at = second;
    expectRefused(await planted.submitOnce(page, { credential }), 403);
    expect(web1.goTo(second).toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    expect(await sessionsOf(world, person)).toHaveLength(1);
  });

  it('in the middle of many ceremonies leaves each done or undone, and no lock behind', async () => {
    const PEOPLE = 12;
    const first = await processes.any();
    const signingIn = await Promise.all(
      Array.from({ length: PEOPLE }, async () => {
        const person = await world.add.person({ orgId });
        const [device, client] = [await withKey(world, person), await clientAt(first)];
        const page = await begin(client);
        return { person, device, client, page, credential: device.get(optionsOf(page)) };
      }),
    );
    const registering = await Promise.all(
      Array.from({ length: PEOPLE }, async () => {
        const person = await world.add.person({ orgId: demanding });
        const [device, client] = [new Authenticator(ORIGIN), await clientAt(first)];
        const page = await toSetUp(client, person);
        return { person, device, client, page, credential: device.create(optionsOf(page)) };
      }),
    );
    const work = [...signingIn, ...registering].map(
      ({ client, page, credential }): Promise<Reply | undefined> =>
        client.browser.submitOnce(page, { credential }).catch(() => undefined),
    );
    await Promise.any(work.slice(0, PEOPLE));
    await first.kill();
    const replies = await Promise.all(work);
    expect(replies.some((reply) => reply?.status === FOUND)).toBe(true);
    const second = await processes.start();
    for (const [index, { person, device, client, page, credential }] of signingIn.entries()) {
      const begun = await sessionsOf(world, person);
      expect(begun.length).toBeLessThanOrEqual(1);
      client.goTo(second);
      if (replies[index]) {
        expect(begun).toHaveLength(1);
        expect(client.toAnswer(await client.authorize({ prompt: 'none' })).code).toBeDefined();
      } else {
        // Not answered. What was not done is done now; what was is not done a second time.
        const { status } = await client.browser.copy().submitOnce(page, { credential });
        expect([FOUND, ...(begun.length === 1 ? [403] : [])]).toContain(status);
        expect(await sessionsOf(world, person)).toHaveLength(1);
      }
      const elsewhere = client.elsewhere().goTo(second);
      expect(elsewhere.toAnswer(await answer(elsewhere, await begin(elsewhere), device)).code).toBeDefined();
    }
    for (const [index, { person, device, client, page }] of registering.entries()) {
      const stored = await keysOf(world, person);
      expect(stored.length).toBeLessThanOrEqual(1);
      client.goTo(second);
      if (replies[PEOPLE + index]) expect(stored).toHaveLength(1);
      else if (stored.length === 0) expect((await make(client, page, device)).heading).toBe('Passkey created');
      expect(await keysOf(world, person)).toHaveLength(1);
    }
    const stuck = await world.rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    );
    expect(stuck).toEqual([]);
  });
});
