import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { begin, pageOf, requestIdOf } from '../login/turns.js';
import type { TestPerson } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import {
  addOidc,
  changeIdp,
  comeBack,
  comeBackOnce,
  leave,
  link,
  linksOf,
  OUTBOUND,
  setPolicy,
  startPath,
} from './external.js';

let world: World;
let upstream: Upstream;
let other: Upstream;
let alice: TestPerson;
let web1: RelyingParty;
let idpId: string;
let otherId: string;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  other = await startUpstream(world);
  alice = await world.cast.alice;
  idpId = await addOidc(world, upstream.issuer);
  otherId = await addOidc(world, other.issuer);
  await link(world, idpId, alice.id, alice.orgId, 'alice-there');
  await link(world, otherId, alice.id, alice.orgId, 'alice-there');
});
afterAll(async () => {
  await upstream.close();
  await other.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  upstream.lies = {};
});

/** A page of ours that signs no user in: nothing has changed except what counts as used. */
async function expectNobody(answer: Parameters, status = 400, rp = web1): Promise<string> {
  const before = await world.rows('SELECT id FROM session');
  const reply = await comeBackOnce(rp.browser, answer);
  expect([reply.status, reply.location, reply.headers['set-cookie']]).toEqual([status, undefined, undefined]);
  expect(await world.rows('SELECT id FROM session')).toEqual(before);
  expect(await linksOf(world, idpId)).toHaveLength(1);
  return reply.text;
}

const honest = async (rp = web1): Promise<Parameters> =>
  upstream.answerTo(await leave(rp, idpId), { sub: 'alice-there' });

describe('The answer of a provider [IDP-001]', () => {
  it.each<[string, (answer: Parameters) => Parameters]>([
    ['without a state', (answer) => ({ ...answer, state: undefined })],
    ['with an empty state', (answer) => ({ ...answer, state: '' })],
    ['with a state of garbage', (answer) => ({ ...answer, state: '"><script>x()</script>' })],
    ['with a state that is no UTF-8 text', (answer) => ({ ...answer, state: 'ÿ\u0000' })],
    ['with its state twice', (answer) => ({ ...answer, state: [String(answer['state']), String(answer['state'])] })],
    ['with its code twice', (answer) => ({ ...answer, code: [String(answer['code']), 'other'] })],
    ['with a state of 10,000 characters', (answer) => ({ ...answer, state: 'x'.repeat(10_000) })],
  ])('signs no user in %s, and requests no token', async (_, change) => {
    const answer = await honest();
    const asked = upstream.count('/token');
    const text = await expectNobody(change(answer));
    expect([upstream.count('/token') - asked, text.includes('<script>x()')]).toEqual([0, false]);
    expect(web1.toAnswer(await comeBack(web1.browser, answer)).code).toBeDefined(); // the right one counts still
  });

  it("signs no user in with another browser's state, and does not use it up", async () => {
    const answer = await honest();
    const thief = web1.elsewhere();
    await begin(thief);
    await expectNobody(answer, 400, thief);
    const stranger = web1.elsewhere(); // without any cookie
    await expectNobody(answer, 400, stranger);
    expect(web1.toAnswer(await comeBack(web1.browser, answer)).code).toBeDefined();
  });

  it('gives another browser the same page, whether its state is pending, has been used, has expired or is unknown', async () => {
    const thief = web1.elsewhere();
    await begin(thief);
    const pending = await honest();
    const used = await honest(web1.elsewhere());
    const unknown = { ...pending, state: 'x'.repeat(String(pending['state']).length) };
    const texts = [await expectNobody(pending, 400, thief), await expectNobody(unknown, 400, thief)];
    expect(web1.toAnswer(await comeBack(web1.browser, pending)).code).toBeDefined();
    texts.push(await expectNobody(pending, 400, thief));
    world.clock.advance('61m');
    const later = web1.elsewhere();
    await begin(later);
    texts.push(await expectNobody(used, 400, later));
    const [first, ...others] = texts.map((text) => text.replaceAll(/<[^>]*>/g, ''));
    expect(others).toEqual([first, first, first]);
  });

  it('counts once: by reload, by the back button, and of two at once [IDP-009]', async () => {
    const answer = await honest();
    const replies = await Promise.all([
      comeBackOnce(web1.browser, answer),
      comeBackOnce(web1.browser, answer),
      comeBackOnce(web1.browser, answer),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
    await expectNobody(answer);
    await expectNobody(answer, 400, web1.elsewhere());
  });

  it('counts for an hour', async () => {
    const answer = await honest();
    world.clock.advance('61m');
    await expectNobody(answer);
  });

  it('does not sign in for a request that has been answered meanwhile', async () => {
    const page = await begin(web1);
    const arrival = await web1.browser.get(
      `/ui/login/login/externalidp?authRequestID=${requestIdOf(page)}&idpConfigID=${idpId}`,
    );
    expect(web1.toAnswer(await web1.enter({ page }, alice)).code).toBeDefined();
    const reply = await comeBackOnce(web1.browser, upstream.answerTo(arrival.redirect!, { sub: 'alice-there' }));
    expect([reply.status, reply.location]).toEqual([410, undefined]);
  });
});

describe('Mixing providers up [IDP-002]', () => {
  it.each<[string, () => string | undefined]>([
    ['another provider', () => other.issuer],
    ['no issuer, though it always sends one', () => undefined],
    ['itself, but for a slash', () => `${upstream.issuer}/`],
  ])('a response with the issuer %s is refused before any token is requested', async (_, iss) => {
    const answer = { ...(await honest()), iss: iss() };
    const asked = upstream.count('/token') + other.count('/token');
    await expectNobody(answer);
    expect(upstream.count('/token') + other.count('/token')).toBe(asked);
  });

  it('an answer of one provider in the turn of another is refused', async () => {
    const url = await leave(web1, otherId);
    const { code, iss } = upstream.answerTo(await leave(web1, idpId), { sub: 'alice-there' });
    await expectNobody({ state: new URL(url).searchParams.get('state')!, code, iss });
  });

  it('a code of another round trip is refused, because its verifier is another', async () => {
    const first = await honest();
    const second = await honest();
    await expectNobody({ ...second, code: first['code'] });
  });
});

describe('A provider that returns an error [IDP-008]', () => {
  it.each(['access_denied', 'login_required', 'server_error', '"><script>x()</script>', 'x'.repeat(500)])(
    'is reported in our own words: %s',
    async (error) => {
      const { state, iss } = (await honest()) as Record<string, string>;
      const page = pageOf(
        await comeBack(web1.browser, {
          state,
          iss,
          error,
          error_description: '"><img src=x onerror=x()>you must call evil.test',
          error_uri: 'javascript:x()',
        }),
      );
      expect([page.status, page.find('h1')?.text]).toEqual([400, 'You were not signed in']);
      expect(page.reply.text).not.toMatch(/evil\.test|onerror|javascript:|<script>x/);
      const back = pageOf(await web1.browser.press(page, /\/loginname/));
      expect(web1.toAnswer(await web1.enter({ page: back }, alice)).code).toBeDefined(); // the sign-in goes on
    },
  );
});

describe('A provider that is removed during a sign-in [IDP-010]', () => {
  it('signs no user in once it is deactivated, and again when it is reactivated', async () => {
    const answer = await honest();
    const path = await startPath(web1, idpId);
    await changeIdp(world, idpId, 'deactivate');
    await expectNobody(answer, 403);
    expect((await web1.browser.request('GET', path)).status).toBe(403);
    await changeIdp(world, idpId, 'reactivate');
    expect(web1.toAnswer(await comeBack(web1.browser, await honest())).code).toBeDefined();
  });

  it('signs no user in once it is removed', async () => {
    const goneId = await addOidc(world, upstream.issuer);
    await link(world, goneId, alice.id, alice.orgId, 'alice-there');
    const answer = upstream.answerTo(await leave(web1, goneId), { sub: 'alice-there' });
    await changeIdp(world, goneId, 'remove');
    await expectNobody(answer);
  });

  it('signs no user in who returns to an organization that has forbidden providers', async () => {
    const { id: orgId } = await world.cast.orgB;
    const carol = await world.cast.carol;
    await link(world, idpId, carol.id, orgId, 'carol-there');
    const over = { scope: `openid urn:service:iam:org:id:${orgId}` };
    const answer = upstream.answerTo(await leave(web1, idpId, over), { sub: 'carol-there' });
    await setPolicy(world, orgId, { allowExternalIdp: false });
    const reply = await comeBackOnce(web1.browser, answer);
    expect(reply.status).toBe(403);
    expect(
      (await web1.browser.request('GET', await startPath(web1.elsewhere(), idpId, over))).status,
    ).toBeGreaterThanOrEqual(400);
    // Nor by a request without the organization: their own one has the say.
    const roundabout = await comeBackOnce(
      web1.browser,
      upstream.answerTo(await leave(web1, idpId), { sub: 'carol-there' }),
    );
    expect(roundabout.status).toBe(403);
    await setPolicy(world, orgId, { allowExternalIdp: true });
  });

  it.each(['of another organization', 'that does not exist'])(
    'cannot be chosen by parameter or scope when it is one %s',
    async (what) => {
      const { id: orgB } = await world.cast.orgB;
      const id = what === 'that does not exist' ? 'nothing' : await addOidc(world, upstream.issuer, {}, orgB);
      const { id: orgA } = await world.cast.orgA;
      const over = { scope: `openid urn:service:iam:org:id:${orgA}` };
      const page = pageOf(await web1.browser.get(await startPath(web1, id, over)));
      expect([page.status, page.find('h1')?.text]).toEqual([403, 'This way to sign in is not available']);
      const forced = pageOf(
        await web1.elsewhere().authorize({ scope: `${over.scope} urn:service:iam:org:idp:id:${id}` }),
      );
      expect([forced.status, forced.find('h1')?.text]).toEqual([403, 'This way to sign in is not available']);
    },
  );

  it('leaves exactly one line in the log for each refusal, with the reason', async () => {
    const answer = { ...(await honest()), iss: other.issuer };
    const before = world.logText().length;
    await comeBackOnce(web1.browser, answer);
    const lines = world
      .logText()
      .slice(before)
      .split('\n')
      .filter((line) => line.includes('idp.answer_refused'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      reason: 'idp.answer_refused',
      detail: 'oauth_invalid_response',
      address: '127.0.0.1',
    });
  });
});
