import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LoginPolicyIdps } from '../../src/idp/login-policy-idps.js';
import { MOST_TURNS_PER_MINUTE, TurnRate } from '../../src/login/idp/turn-rate.js';
import { paths } from '../../src/org/instance/paths.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { begin, buttonsOf, errorsOf, pageOf, requestIdOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, changeIdp, link, linksOf, OUTBOUND, setPolicy, visit } from './external.js';

let world: World;
let upstream: Upstream;
let bob: TestPerson;
let web1: RelyingParty;
let idpId: string;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND, loginLimits: 'on' });
  upstream = await startUpstream(world);
  bob = await world.cast.bob;
  idpId = await addOidc(world, upstream.issuer, { name: 'Example accounts' });
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

/** The return from the provider of a user who is unknown here. */
async function unknown(rp = web1, sub = uniqueName('stranger')): Promise<Page> {
  return pageOf(await visit(rp, upstream, idpId, { sub, preferred_username: `${sub} there` }));
}

const buttons = buttonsOf;
const headingOf = (page: Page): string | undefined => page.find('h1')?.text;
const providers = (page: Page): string[] => page.all('.providers button').map(({ text }) => text);

describe('An unknown user of a provider that does not register users', () => {
  it('reads what can be done, and links the account that they have by signing in to it', async () => {
    const sub = uniqueName('stranger');
    const page = await unknown(web1, sub);
    expect([headingOf(page), buttons(page)]).toEqual([
      'Not linked yet',
      ['Sign in to my account', 'Sign in another way'],
    ]);
    expect(page.text).toContain(`Example accounts account: ${sub} there`);
    const name = pageOf(await web1.browser.submit(page, { decision: 'link' }));
    expect([headingOf(name), providers(name)]).toEqual(['Sign in', []]);
    const asked = pageOf(await web1.enter({ page: name }, bob));
    expect([headingOf(asked), asked.text.includes(bob.loginName), asked.text.includes('Example accounts')]).toEqual([
      'Link this account?',
      true,
      true,
    ]);
    expect(await linksOf(world, idpId)).toEqual([]);
    expect(web1.toAnswer(await web1.browser.submit(asked, { decision: 'link' })).code).toBeDefined();
    expect(await linksOf(world, idpId)).toEqual([{ userId: bob.id, externalUserId: sub, displayName: `${sub} there` }]);
    expect(web1.toAnswer(await visit(web1.elsewhere(), upstream, idpId, { sub })).code).toBeDefined();
    const events = await world.rows<{ editor: string }>(
      `SELECT editor_id AS editor FROM event WHERE type = 'user.human.externalidp.added' AND aggregate_id = $1`,
      [bob.id],
    );
    expect(events).toEqual([{ editor: bob.id }]);
  });

  it('is signed in without being linked when they do not want to be', async () => {
    const before = await linksOf(world, idpId);
    const name = pageOf(await web1.browser.submit(await unknown(), { decision: 'link' }));
    const asked = pageOf(await web1.enter({ page: name }, bob));
    expect(web1.toAnswer(await web1.browser.submit(asked, { decision: 'skip' })).code).toBeDefined();
    expect(await linksOf(world, idpId)).toEqual(before);
  });

  it('may sign in another way, and is asked nothing about the provider then', async () => {
    const name = pageOf(await web1.browser.submit(await unknown(), { decision: 'cancel' }));
    expect(providers(name)).toEqual(['Continue with Example accounts']);
    expect(web1.toAnswer(await web1.enter({ page: name }, bob)).code).toBeDefined();
  });

  it('may choose another account at the provider', async () => {
    const page = await unknown();
    const arrival = await web1.browser.press(page, 'Use another Example accounts account');
    expect(new URL(arrival.redirect!).searchParams.get('prompt')).toBe('select_account');
  });

  it('is not linked by a session that lay open: the password is asked for once more', async () => {
    await web1.signIn(bob);
    world.clock.advance('1m');
    const rp = web1;
    const page = pageOf(
      await visit(rp, upstream, idpId, { sub: uniqueName('stranger') }, { prompt: 'select_account' }),
    );
    const name = pageOf(await rp.browser.submit(page, { decision: 'link' }));
    const password = pageOf(await rp.browser.submit(name, { loginName: bob.loginName }));
    expect(password.find('input[name="password"]')).not.toBeNull();
    const early = await rp.browser.get(`/oauth/v2/authorize/callback?id=${requestIdOf(password)}`);
    expect(pageOf(early).find('input[name="password"]')).not.toBeNull();
    const asked = pageOf(await rp.browser.submit(password, { password: bob.password }));
    expect(headingOf(asked)).toBe('Link this account?');
  });

  it('is linked with nobody who signs in on another page of the browser meanwhile [AUT-066]', async () => {
    const sub = uniqueName('stranger');
    const name = pageOf(await web1.browser.submit(await unknown(web1, sub), { decision: 'link' }));
    const left = pageOf(await web1.browser.submit(name, { loginName: bob.loginName }));
    world.clock.advance('1m');
    await web1.signIn(bob);
    const { authRequestID, csrf } = left.formWith('authRequestID').fields;
    for (const [path, fields] of [
      [paths.hub, { show: 'true' }],
      [paths.linkAccount, { decision: 'link' }],
      [paths.accounts, { userID: bob.id }],
    ] as const) {
      const reply = await web1.browser.request('POST', path, { authRequestID: authRequestID!, csrf: csrf!, ...fields });
      expect([path, reply.text.includes('name="password"')]).toEqual([path, true]);
    }
    expect((await linksOf(world, idpId)).map(({ externalUserId }) => externalUserId)).not.toContain(sub);
  });

  it('finds the steps in no other order [LOG-040]', async () => {
    const page = await unknown();
    const id = requestIdOf(page);
    for (const path of [paths.externalUser, paths.linkAccount, paths.externalLogin]) {
      expect((await web1.browser.request('GET', `${path}?authRequestID=${id}`)).status).toBe(405);
    }
    const before = await linksOf(world, idpId);
    const form = { ...page.forms[0]!.fields, decision: 'link' };
    // No user has signed in.
    for (const arrival of [
      await web1.browser.post(paths.linkAccount, form),
      await web1.browser.get(`/oauth/v2/authorize/callback?id=${id}`),
    ])
      expect(headingOf(pageOf(arrival))).toBe(headingOf(page));
    expect(await linksOf(world, idpId)).toEqual(before);
  });

  it.each([{}, { decision: '' }, { decision: 'create' }, { decision: 'other' }])(
    'stays on the page with a form that contains %j [LOG-041]',
    async (fields) => {
      const page = await unknown();
      const reply = await web1.browser.request('POST', paths.externalUser, { ...page.forms[0]!.fields, ...fields });
      expect([reply.status, reply.text.includes('This page was out of date')]).toEqual([400, true]);
      expect(
        (await web1.browser.request('POST', paths.externalUser, { ...fields, authRequestID: requestIdOf(page) }))
          .status,
      ).toBe(403); // LOG-001
    },
  );

  it('cannot be linked with two accounts', async () => {
    const sub = uniqueName('stranger');
    const [first, second] = [web1.elsewhere(), web1.elsewhere()];
    const asked: Page[] = [];
    for (const [rp, person] of [
      [first, bob],
      [second, await world.cast.alice],
    ] as const) {
      const name = pageOf(await rp.browser.submit(await unknown(rp, sub), { decision: 'link' }));
      asked.push(pageOf(await rp.enter({ page: name }, person)));
    }
    const [one, two] = await Promise.all([
      first.browser.submit(asked[0]!, { decision: 'link' }),
      second.browser.submit(asked[1]!, { decision: 'link' }),
    ]);
    const pages = [one, two].flatMap(({ page }) => (page ? [page] : []));
    expect(pages.map((page) => [page.status, ...errorsOf(page)])).toEqual([
      [400, 'This account of the identity provider is linked with another account already.'],
    ]);
    expect((await linksOf(world, idpId)).filter(({ externalUserId }) => externalUserId === sub)).toHaveLength(1);
  });

  it('is not linked once the provider is gone, and signs in here', async () => {
    const own = await addOidc(world, upstream.issuer);
    const page = pageOf(await visit(web1, upstream, own, { sub: 'x' }));
    const name = pageOf(await web1.browser.submit(page, { decision: 'link' }));
    await changeIdp(world, own, 'remove');
    expect(web1.toAnswer(await web1.enter({ page: name }, bob)).code).toBeDefined();
  });

  it("is not linked with an account of another organization at an organization's own provider", async () => {
    const [instance] = await world.rows<{ id: string }>('SELECT default_org_id AS id FROM instance');
    const own = await addOidc(world, upstream.issuer, { name: 'Own' }, instance!.id);
    const name = pageOf(
      await web1.browser.submit(pageOf(await visit(web1, upstream, own, { sub: 'x' })), { decision: 'link' }),
    );
    const asked = pageOf(await web1.enter({ page: name }, bob)); // of organization A
    const refused = pageOf(await web1.browser.submit(asked, { decision: 'link' }));
    expect([refused.status, ...errorsOf(refused)]).toEqual([
      400,
      'The account you signed in to cannot be linked with this identity provider.',
    ]);
    expect(await linksOf(world, own)).toEqual([]);
    await changeIdp(world, own, 'remove', instance!.id);
  });

  it('is asked to contact an administrator if passwords are forbidden', async () => {
    const org = await world.add.org();
    await setPolicy(world, org.id, { allowUsernamePassword: false });
    const second = await addOidc(world, upstream.issuer, {}, org.id);
    const page = pageOf(
      await visit(
        web1,
        upstream,
        second,
        { sub: uniqueName('stranger') },
        { scope: `openid urn:service:iam:org:id:${org.id}` },
      ),
    );
    expect([page.text.includes('Ask your administrator for an account.'), buttons(page)]).toEqual([
      true,
      ['Sign in another way'],
    ]);
  });
});

describe('Which providers the first page offers', () => {
  let org: TestOrg;
  let over: { scope: string };

  beforeEach(async () => {
    org = await world.add.org();
    over = { scope: `openid urn:service:iam:org:id:${org.id}` };
  });

  const offered = async (): Promise<string[]> =>
    providers(await begin(web1.elsewhere(), over)).map((text) => text.replace('Continue with ', ''));

  it("are every active one of the instance and of the organization, and none of another's", async () => {
    const own = await addOidc(world, upstream.issuer, { name: 'Own' }, org.id);
    await addOidc(world, upstream.issuer, { name: 'Stranger' }, (await world.cast.orgB).id);
    expect(await offered()).toEqual(['Example accounts', 'Own']);
    await changeIdp(world, own, 'deactivate', org.id);
    expect(await offered()).toEqual(['Example accounts']);
  });

  it('are those that the login policy lists, where it lists some', async () => {
    await setPolicy(world, org.id, { allowRegister: false });
    const own = await addOidc(world, upstream.issuer, { name: 'Own' }, org.id);
    await world.transaction((tx) =>
      world.get(LoginPolicyIdps).add(tx, { level: 'org', id: org.id }, { level: 'org', id: org.id }, own, EDITOR),
    );
    await world.changesToArrive();
    expect(await offered()).toEqual(['Own']);
    expect(
      (
        await web1.browser.request(
          'GET',
          `${paths.externalStart}?authRequestID=${requestIdOf(await begin(web1, over))}&idpConfigID=${idpId}`,
        )
      ).status,
    ).toBe(403);
    await world.transaction((tx) => world.get(LoginPolicyIdps).remove(tx, { level: 'org', id: org.id }, own, EDITOR));
    await world.changesToArrive();
    expect(await offered()).toEqual(['Example accounts', 'Own']);
  });

  it('are none where the login policy wants none', async () => {
    await setPolicy(world, org.id, { allowExternalIdp: false });
    expect(await offered()).toEqual([]);
  });

  it('are shown with a mark: the first letter where they are styled like a vendor, otherwise a badge', async () => {
    await addOidc(world, upstream.issuer, { name: 'Zebra', stylingType: 'vendor' }, org.id);
    const page = await begin(web1, over);
    expect(page.all('.providers .provider-mark').map(({ text }) => text)).toEqual(['', 'Z']);
  });

  it('are escaped, however they are named [LOG-015]', async () => {
    await addOidc(world, upstream.issuer, { name: '"><script>x()</script>' }, org.id);
    const { text } = (await begin(web1, over)).reply;
    expect([text.includes('<script>'), text.includes('&lt;script>')]).toEqual([false, true]);
  });

  it('cost the page no statement', async () => {
    await begin(web1, over);
    const statements = await statementsDuring(async () => begin(web1, over));
    expect(statements.filter((text) => text.startsWith('idp.') || text.startsWith('policy.'))).toEqual([]);
  });
});

describe('Straight to a provider', () => {
  it('goes who comes with its scope, and no other way round', async () => {
    const carol = await world.cast.carol;
    await link(world, idpId, carol.id, carol.orgId, 'carol-there');
    const over = { scope: `openid urn:service:iam:org:idp:id:${idpId}` };
    const arrival = await web1.authorize(over);
    expect(arrival.redirect).toMatch(`${upstream.issuer}/authorize?`);
    const rp = web1.elsewhere();
    await rp.signIn(bob);
    expect(rp.toAnswer(await rp.authorize(over)).code).toBeDefined(); // signed in already
  });

  it('goes who can go nowhere else: one provider and no password', async () => {
    const org = await world.add.org();
    await setPolicy(world, org.id, { allowUsernamePassword: false });
    const over = { scope: `openid urn:service:iam:org:id:${org.id}` };
    expect((await web1.authorize(over)).redirect).toMatch(`${upstream.issuer}/authorize?`);
    await addOidc(world, upstream.issuer, { name: 'Second' }, org.id);
    expect(providers(await begin(web1.elsewhere(), over))).toHaveLength(2);
  });

  it('does not go round in circles when the provider returns an error', async () => {
    const over = { scope: `openid urn:service:iam:org:idp:id:${idpId}` };
    const { redirect } = await web1.authorize(over);
    const { state, iss } = upstream.answerTo(redirect!, {});
    const page = pageOf(
      await web1.browser.get(
        `${paths.externalCallback}?state=${state}&iss=${encodeURIComponent(iss)}&error=access_denied`,
      ),
    );
    const back = pageOf(await web1.browser.press(page, /\/loginname/));
    expect([headingOf(back), providers(back)]).toEqual([
      'Sign in',
      expect.arrayContaining(['Continue with Example accounts']),
    ]);
  });
});

describe('Turns at providers', () => {
  it('are begun a thousand times a minute from one network, and then leave no row [IDP-035]', async () => {
    const over = { scope: `openid urn:service:iam:org:idp:id:${idpId}` };
    const kept = async (): Promise<unknown[]> =>
      world.rows('SELECT id FROM idp_login UNION ALL SELECT id FROM parked_request');
    for (let turn = 1; turn < MOST_TURNS_PER_MINUTE; turn += 1) world.get(TurnRate).count('127.0.0.1');
    expect((await web1.authorize(over)).redirect).toMatch(`${upstream.issuer}/authorize?`);
    const before = await kept();
    const arrival = await web1.elsewhere().authorize(over);
    expect(answerOf(arrival.redirect!)).toMatchObject({ error: 'temporarily_unavailable' });
    expect(await kept()).toEqual(before);
    world.clock.advance('61s');
    expect((await web1.authorize(over)).redirect).toMatch(`${upstream.issuer}/authorize?`);
  });

  it('are forgotten when they are over', async () => {
    await unknown();
    world.clock.advance('61m');
    await world.get(HousekeepingService).run();
    expect(await world.rows('SELECT 1 FROM idp_login')).toEqual([]);
  });

  it('leave nothing readable behind: neither state, verifier nor token', async () => {
    await unknown();
    const [row] = await world.rows<Record<string, unknown>>('SELECT * FROM idp_login LIMIT 1');
    expect([row!['code_verifier'], Buffer.isBuffer(row!['state_hash'])]).toEqual([
      expect.stringMatching(/^v1\./),
      true,
    ]);
  });
});
