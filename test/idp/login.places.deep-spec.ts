import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { begin, beginPassword, buttonsOf, errorsOf, pageOf } from '../login/turns.js';
import { callerWith } from '../support/admin-api.js';
import { type Arrival, Page } from '../support/browser.js';
import { EDITOR, type TestOrg, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { type Claims, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBack, leave, link, linksOf, OUTBOUND, setPolicy } from './external.js';

const DOMAINS = '/management/v1/orgs/me/domains';

let world: World;
let upstream: Upstream;
let web1: RelyingParty;
/** A company with a provider of its own, which applications do not ask for. */
let org: TestOrg;
let idpId: string;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  org = await world.add.org();
  idpId = await addOidc(world, upstream.issuer, { name: 'Company accounts' }, org.id);
});

const providers = (page: Page): string[] => page.all('.providers li button').map(({ text }) => text);
const click = async (rp: RelyingParty, page: Page, text: string): Promise<Arrival> => rp.browser.press(page, text);
const noPasswords = async (): Promise<void> => setPolicy(world, org.id, { allowUsernamePassword: false });
const atCompany = (name = uniqueName('somebody')): string => `${name}@${org.domain}`;
const typeName = async (rp: RelyingParty, loginName: string): Promise<Arrival> =>
  rp.browser.submit(await begin(rp), { loginName });
/** As far as the provider. */
const straight = async (rp: RelyingParty, loginName: string): Promise<string> =>
  (await typeName(rp, loginName)).redirect ?? '';

/** By way of the password page of a name at the company's domain, and back as a user. */
async function throughCompany(about: Claims, rp = web1): Promise<Arrival> {
  const arrival = await click(rp, await beginPassword(rp, atCompany()), 'Continue with Company accounts');
  return comeBack(rp.browser, upstream.answerTo(arrival.redirect!, about));
}

describe("A company's own provider, where the application asks for no organization", () => {
  it('is offered only to users who type a name at its domain, whether or not that name exists', async () => {
    const person = await world.add.person({ orgId: org.id });
    expect(providers(await begin(web1))).toEqual([]);
    for (const name of [person.loginName, atCompany('nobody')])
      expect(providers(await beginPassword(web1.elsewhere(), name))).toEqual(['Continue with Company accounts']);
    for (const name of [person.userName, 'nobody@elsewhere.test'])
      expect(providers(await beginPassword(web1.elsewhere(), name))).toEqual([]);
  });

  it('is offered to nobody at a domain that the company merely claims, where its own people sign in as before [LOG-064]', async () => {
    const domain = `${uniqueName('freemail')}.example`;
    const victim = await world.add.person({ orgId: world.firstStart.orgId, email: `vic@${domain}` });
    const { api } = await callerWith(world, org, ['ORG_OWNER']);
    await api.call('POST', DOMAINS, { domain });
    expect((await api.call('POST', `${DOMAINS}/_search`, {}))['result']).toContainEqual(
      expect.objectContaining({ domainName: domain, isVerified: true, isProved: false }),
    );
    await noPasswords();
    for (const loginName of [victim.email, `nobody@${domain}`]) {
      const page = await beginPassword(web1.elsewhere(), loginName);
      expect([page.title, providers(page)]).toEqual(['Enter your password · Acme', []]);
    }
    expect(pageOf(await web1.elsewhere().authorize({ login_hint: victim.email })).title).not.toContain(org.domain);
    await setPolicy(world, org.id, { allowUsernamePassword: true });
    const own = await world.add.person({ orgId: org.id });
    const rp = web1.elsewhere();
    const page = await beginPassword(rp, `${own.userName}@${domain}`);
    expect(rp.toAnswer(await rp.browser.submit(page, { password: own.password })).code).toBeDefined();
  });

  it('signs its people in', async () => {
    const person = await world.add.person({ orgId: org.id });
    await link(world, idpId, person.id, org.id, 'p-1');
    expect(web1.toAnswer(await throughCompany({ sub: 'p-1' })).code).toBeDefined();
  });

  it('makes an account in that company, where it makes any', async () => {
    idpId = await addOidc(
      world,
      upstream.issuer,
      { name: 'Company accounts', autoRegister: true },
      (org = await world.add.org()).id,
    );
    expect(
      web1.toAnswer(await throughCompany({ sub: 'new', email: 'new@mail.test', email_verified: true })).code,
    ).toBeDefined();
    expect(
      await world.rows(
        'SELECT u.org_id AS "orgId" FROM user_account u JOIN idp_link l ON l.user_id = u.id WHERE l.idp_id = $1',
        [idpId],
      ),
    ).toEqual([{ orgId: org.id }]);
  });

  it('links the account that an unknown user has there, in the look of that company', async () => {
    const person = await world.add.person({ orgId: org.id });
    const page = pageOf(await throughCompany({ sub: 'unknown' }));
    expect([page.heading, page.title.endsWith(org.domain)]).toEqual(['Not linked yet', true]);
    const asked = pageOf(
      await web1.enter({ page: pageOf(await web1.browser.submit(page, { decision: 'link' })) }, person),
    );
    expect(web1.toAnswer(await web1.browser.submit(asked, { decision: 'link' })).code).toBeDefined();
    expect(await linksOf(world, idpId)).toMatchObject([{ userId: person.id, externalUserId: 'unknown' }]);
  });

  it('asks its people once more where an application wants that', async () => {
    const person = await world.add.person({ orgId: org.id, password: '', state: 'active' });
    await link(world, idpId, person.id, org.id, 'p-2');
    await throughCompany({ sub: 'p-2' });
    world.clock.advance('1m');
    const page = pageOf(await web1.authorize({ prompt: 'login' }));
    expect(page.heading).toBe('Confirm that it is you');
    const { redirect } = await click(web1, page, 'Continue with Company accounts');
    expect(
      web1.toAnswer(await comeBack(web1.browser, upstream.answerTo(redirect!, { sub: 'p-2' }))).code,
    ).toBeDefined();
  });

  it('is not reached from the domain of another organization', async () => {
    const other = await world.add.org();
    const page = await beginPassword(web1, `x@${other.domain}`);
    const offered = await beginPassword(web1.elsewhere(), atCompany());
    const { to } = offered.ways.find(({ text }) => text === 'Continue with Company accounts')!;
    const carried = page.formWith('authRequestID').fields;
    expect((await web1.browser.request('POST', to, carried)).status).toBe(403);
    const path = `${to}&authRequestID=${carried['authRequestID']}`;
    expect((await web1.browser.request('GET', path)).status).toBe(403);
  });
});

describe('A company whose people have no passwords', () => {
  it('sends users who type a name at its domain straight to its only provider, with the name', async () => {
    await noPasswords();
    const person = await world.add.person({ orgId: org.id, password: '', state: 'active' });
    await link(world, idpId, person.id, org.id, 'p-3');
    const loginName = atCompany();
    const redirect = await straight(web1, loginName);
    expect(redirect).toMatch(`${upstream.issuer}/authorize?`);
    expect(new URL(redirect).searchParams.get('login_hint')).toBe(loginName);
    expect(web1.toAnswer(await comeBack(web1.browser, upstream.answerTo(redirect, { sub: 'p-3' }))).code).toBeDefined();
  });

  it('does so by a page: from a form no browser goes to a site that its page does not name', async () => {
    await noPasswords();
    const loginName = atCompany();
    const asked = await begin(web1);
    const page = new Page(await web1.browser.submitOnce(asked, { loginName }), paths.loginName);
    expect([page.status, page.heading, page.text.includes(loginName)]).toEqual([
      200,
      'Continue with Company accounts',
      true,
    ]);
    expect(page.reply.header('content-security-policy')).not.toContain(upstream.issuer);
    expect((await click(web1, page, 'Continue with Company accounts')).redirect).toMatch(upstream.issuer);
    expect(pageOf(await click(web1, page, 'Not you?')).heading).toBe('Sign in');
  });

  it('also does so for a name that the application sends', async () => {
    await noPasswords();
    for (const over of [
      { login_hint: atCompany() },
      { login_hint: 'anybody', scope: `openid urn:service:iam:org:id:${org.id}` },
    ]) {
      expect((await web1.elsewhere().authorize(over)).redirect).toMatch(`${upstream.issuer}/authorize?`);
    }
  });

  it('lets them choose where it has several, and go back', async () => {
    await noPasswords();
    await addOidc(world, upstream.issuer, { name: 'Partners' }, org.id);
    const page = pageOf(await typeName(web1, atCompany()));
    expect([page.status, page.heading, providers(page)]).toEqual([
      200,
      'No sign-in with a password',
      ['Continue with Company accounts', 'Continue with Partners'],
    ]);
    expect(pageOf(await click(web1, page, 'Back to sign-in')).heading).toBe('Sign in');
  });

  it('says so if it has none, and lets them go back', async () => {
    const { id, domain } = await world.add.org();
    await setPolicy(world, id, { allowUsernamePassword: false, allowExternalIdp: false });
    const page = await beginPassword(web1, `x@${domain}`);
    expect([page.status, page.heading]).toEqual([403, 'No sign-in with a password']);
    expect(pageOf(await click(web1, page, 'Back to sign-in')).find('#loginName')).not.toBeNull();
  });

  it('does not send users in circles who are refused there', async () => {
    await noPasswords();
    const { state, iss } = upstream.answerTo(await straight(web1, atCompany()), {});
    const refused = pageOf(
      await web1.browser.get(
        `/ui/login/login/externalidp/callback?state=${state}&iss=${encodeURIComponent(iss)}&error=access_denied`,
      ),
    );
    expect(pageOf(await click(web1, refused, 'Back to sign-in')).heading).toBe('Sign in');
  });

  it('cannot be entered by a password of another one that is to be linked', async () => {
    await noPasswords();
    const page = pageOf(
      await comeBack(web1.browser, upstream.answerTo(await straight(web1, atCompany()), { sub: 'z' })),
    );
    expect([page.heading, buttonsOf(page)]).toEqual(['Not linked yet', ['Sign in another way']]);
  });
});

describe('The scope of a provider', () => {
  it('leads straight there instead of to a registration or to a choice of accounts', async () => {
    const over = { scope: `openid urn:service:iam:org:id:${org.id} urn:service:iam:org:idp:id:${idpId}` };
    expect((await web1.authorize({ ...over, prompt: 'create' })).redirect).toMatch(`${upstream.issuer}/authorize?`);
    for (const person of [await world.add.person({ orgId: org.id }), await world.add.person({ orgId: org.id })])
      await web1.signIn(person, { prompt: 'login', login_hint: person.loginName });
    expect(pageOf(await web1.authorize({ scope: 'openid' })).heading).toBe('Choose an account');
    expect((await web1.authorize(over)).redirect).toMatch(`${upstream.issuer}/authorize?`);
    const { redirect } = await web1.authorize({ ...over, prompt: 'select_account' });
    expect(new URL(redirect!).searchParams.get('prompt')).toBe('select_account');
  });

  it('leads straight there with a login_hint as well, unless the user has chosen another way', async () => {
    const over = {
      scope: `openid urn:service:iam:org:id:${org.id} urn:service:iam:org:idp:id:${idpId}`,
      login_hint: 'ada',
    };
    const { redirect } = await web1.authorize(over);
    expect(new URL(redirect!).searchParams.get('login_hint')).toBe('ada');
    const page = pageOf(await comeBack(web1.browser, upstream.answerTo(redirect!, { sub: 'y' })));
    const name = pageOf(await web1.browser.submit(page, { decision: 'cancel' }));
    const password = pageOf(await web1.browser.submit(name, { loginName: 'ada' }));
    expect(password.heading).toBe('Enter your password');
  });
});

describe('A user who signs in to link an account', () => {
  it('may turn back, and is asked nothing about the provider then', async () => {
    const person = await world.add.person({ orgId: org.id });
    const before = await linksOf(world, idpId);
    const name = pageOf(await web1.browser.submit(pageOf(await throughCompany({ sub: 'w' })), { decision: 'link' }));
    expect(name.text).toContain('Sign in to the account that you want to link with Company accounts.');
    expect(buttonsOf(name)).toEqual(['Continue', 'Sign in another way']);
    const again = pageOf(await web1.browser.submit(name, { decision: 'cancel' }));
    expect([again.heading, errorsOf(again), buttonsOf(again)]).toEqual(['Sign in', [], ['Continue']]);
    expect(web1.toAnswer(await web1.enter({ page: again }, person)).code).toBeDefined();
    expect(await linksOf(world, idpId)).toEqual(before);
  });
});

describe("A name at the organization's own domain", () => {
  it('is taken without it where login names stand at the domain anyway', async () => {
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'domain', org.id, { userLoginMustBeDomain: true }, EDITOR),
    );
    const own = await addOidc(world, upstream.issuer, { autoRegister: true }, org.id);
    await world.changesToArrive();
    const namesOf = async (preferred_username: string): Promise<unknown> => {
      const sub = uniqueName('sub');
      const over = { scope: `openid urn:service:iam:org:id:${org.id}` };
      const rp = web1.elsewhere();
      await comeBack(
        rp.browser,
        upstream.answerTo(await leave(rp, own, over), {
          sub,
          preferred_username,
          email: `${sub}@mail.test`,
          email_verified: true,
        }),
      );
      const [row] = await world.rows<{ name: string }>(
        'SELECT u.user_name AS name FROM user_account u JOIN idp_link l ON l.user_id = u.id WHERE l.external_user_id = $1',
        [sub],
      );
      return row?.name;
    };
    expect(await namesOf(`ida@${org.domain}`)).toBe('ida');
    expect(await namesOf('ida@elsewhere.test')).toBe('ida@elsewhere.test');
  });
});

describe('An organization with many providers', () => {
  const addSchools = async (first: number, count: number): Promise<void> => {
    for (let n = first; n < first + count; n += 1) {
      await addOidc(world, upstream.issuer, { name: `School ${n}` }, org.id);
    }
    await world.changesToArrive();
  };
  beforeEach(() => addSchools(100, 22));

  it('offers the first twenty and a search by name, which works without a script and leads on', async () => {
    const page = await beginPassword(web1, atCompany());
    expect(providers(page)).toHaveLength(20);
    expect(page.all('form[role=search] label').map(({ text }) => text)).toEqual(['Find a provider by name']);

    const found = pageOf(await web1.browser.submit(page, { providerName: 'sCHOOL 12' }));
    expect(providers(found)).toEqual(['Continue with School 120', 'Continue with School 121']);
    const none = pageOf(await web1.browser.submit(found, { providerName: '<b>nobody</b>' }));
    expect(providers(none)).toEqual([]);
    expect(none.all('[role=status]').map(({ text }) => text)).toEqual(['No provider has this in its name.']);
    expect((await click(web1, found, 'Continue with School 121')).redirect).toContain(upstream.issuer);
  });

  it('offers them on a page that is as long as with more of them', async () => {
    const before = (await beginPassword(web1, atCompany())).reply.text.length;
    await addSchools(200, 20);
    const after = (await beginPassword(web1.elsewhere(), atCompany())).reply.text.length;
    expect(Math.abs(after - before)).toBeLessThan(100);
  });
});
