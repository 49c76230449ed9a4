import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { AccountHolder } from '../account/account-turns.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { CLIENT_ID, CLIENT_SECRET, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { comeBack, leave, link, linksOf, OUTBOUND, visit } from './external.js';

let world: World;
let upstream: Upstream;
let org: TestOrg;
let admin: AdminApi;
let owner: AdminApi;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  org = await world.cast.orgA;
  admin = (await callerWith(world, org, ['IAM_OWNER'])).api;
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1h');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const OPEN = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: false };

interface Added {
  readonly id: string;
  readonly parts: ReadonlyArray<{ readonly part: string; readonly detail: string }>;
}

/** A provider of the instance with these options; answers its id. */
async function add(options: object | undefined): Promise<string> {
  const { id } = await addAnswer(options);
  return id;
}

async function addAnswer(providerOptions: object | undefined): Promise<Added> {
  const added = await admin.call<Added>('POST', '/admin/v1/idps/generic_oidc', {
    name: uniqueName('Options'),
    issuer: upstream.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scopes: [],
    ...(providerOptions === undefined ? {} : { providerOptions }),
    offerUntested: true,
  });
  await world.changesToArrive();
  return added;
}

/** The manager changes the options. */
async function set(id: string, providerOptions: object): Promise<void> {
  const { idp } = await admin.call<{ idp: { name: string } }>('GET', `/admin/v1/idps/${id}`);
  await admin.call('PUT', `/admin/v1/idps/${id}`, { name: idp.name, providerOptions });
  await world.changesToArrive();
}

async function optionsOf(id: string): Promise<unknown> {
  const { idp } = await admin.call<{ idp: { providerOptions: unknown; autoRegister: boolean } }>(
    'GET',
    `/admin/v1/idps/${id}`,
  );
  return idp.providerOptions;
}

const newcomer = (): { sub: string; email: string; email_verified: boolean; preferred_username: string } => {
  const sub = uniqueName('newcomer');
  return { sub, email: `${sub}@mail.test`, email_verified: true, preferred_username: sub };
};

describe('The options of a provider', () => {
  it('are shown as they were sent, and are the careful ones if they were not', async () => {
    const said = { ...OPEN, isAutoUpdate: true, autoLinking: 'AUTO_LINKING_OPTION_EMAIL' };
    const { id, parts } = await addAnswer(said);
    expect(await optionsOf(id)).toEqual(said);
    expect(parts.find(({ part }) => part === 'auto_linking')?.detail).toContain('Nothing is linked by a name');
    expect(await optionsOf(await add(undefined))).toMatchObject({ isLinkingAllowed: true, isCreationAllowed: false });
    expect(await optionsOf(await add({ isAutoCreation: true }))).toMatchObject({
      isLinkingAllowed: false,
      isCreationAllowed: false,
      isAutoCreation: true,
    });
  });

  it('stay if an update does not send them', async () => {
    const id = await add({ isLinkingAllowed: false, isCreationAllowed: true });
    await admin.call('PUT', `/admin/v1/idps/${id}`, { name: uniqueName('Renamed') });
    expect(await optionsOf(id)).toMatchObject({ isLinkingAllowed: false, isCreationAllowed: true });
  });
});

it('Options of a provider travel with an export, which names none where none were said', async () => {
  const from = await world.add.org();
  const { api } = await callerWith(world, from, ['ORG_OWNER']);
  const settings = { issuer: upstream.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, scopes: [] };
  const said = { isLinkingAllowed: false, isCreationAllowed: true, autoLinking: 'AUTO_LINKING_OPTION_USERNAME' };
  const common = { ...settings, offerUntested: true };
  await api.call('POST', '/management/v1/idps/generic_oidc', { ...common, name: 'Said', providerOptions: said });
  await api.call('POST', '/management/v1/idps/generic_oidc', { ...common, name: 'Silent' });
  const { orgs } = await admin.call<{ orgs: [{ oidcIdps: Array<{ idpId: string; idp: Entry }> }] }>(
    'POST',
    '/admin/v1/export',
    { orgIds: [from.id], withPasswords: true },
  );
  interface Entry {
    readonly name: string;
    readonly providerOptions?: object;
  }
  const entries = orgs[0].oidcIdps.map(({ idp }) => [idp.name, idp.providerOptions]);
  expect(new Map(entries as Array<[string, unknown]>)).toEqual(
    new Map<string, unknown>([
      // What is false is not written.
      ['Said', { isCreationAllowed: true, autoLinking: said.autoLinking }],
      ['Silent', undefined],
    ]),
  );
  const oidcIdps = orgs[0].oidcIdps.map(({ idp }, index) => ({ idp, idpId: `77700020${index}` }));
  const org = { orgId: 'org-with-options', org: { name: 'With options' }, oidcIdps };
  await admin.call('POST', '/admin/v1/import', { dataOrgs: { orgs: [org] } });
  expect(
    await world.rows(
      `SELECT name, is_linking_allowed AS linking, is_creation_allowed AS creation, is_auto_update AS update,
         auto_linking AS "autoLinking" FROM idp WHERE owner_id = 'org-with-options' ORDER BY name`,
    ),
  ).toEqual([
    { name: 'Said', linking: false, creation: true, update: false, autoLinking: 'username' },
    { name: 'Silent', linking: true, creation: null, update: false, autoLinking: 'unspecified' },
  ]);
});

describe('A provider with which no account may be created', () => {
  it('makes none at the callback, and takes no form that asks for one [IDP-046]', async () => {
    const id = await add({ ...OPEN, isCreationAllowed: false });
    const user = newcomer();
    const page = pageOf(await visit(web1, upstream, id, user));
    expect([page.find('h1')?.text, page.all('input[name="email"]').length]).toEqual(['Not linked yet', 0]);
    const { action, fields } = page.formWith('csrf');
    const forged = { ...fields, decision: 'create', email: user.email };
    expect(pageOf(await web1.browser.post(action, forged)).status).toBe(400);
    expect(await world.rows('SELECT 1 FROM user_account WHERE email = $1', [user.email])).toEqual([]);
  });

  it('makes none if that was forbidden while the page was open [IDP-046]', async () => {
    const id = await add({ ...OPEN, isAutoCreation: false });
    const user = newcomer();
    const page = pageOf(await visit(web1, upstream, id, user));
    expect(page.find('input[name="email"]')?.getAttribute('value')).toBe(user.email);
    await set(id, { ...OPEN, isCreationAllowed: false });
    expect(pageOf(await web1.browser.submit(page, { email: user.email, decision: 'create' })).status).toBe(400);
    expect(await linksOf(world, id)).toEqual([]);
  });
});

it('A provider that makes accounts on request keeps the address verified that it has verified', async () => {
  const id = await add({ ...OPEN, isAutoCreation: false });
  for (const [isSame, isVerified] of [
    [true, true],
    [false, false],
  ]) {
    const user = newcomer();
    const party = web1.elsewhere();
    const page = pageOf(await visit(party, upstream, id, user));
    const email = isSame ? user.email : `other.${user.email}`;
    await party.browser.submit(page, { email, decision: 'create' });
    expect(await world.rows('SELECT email_verified AS v FROM user_account WHERE email = $1', [email])).toEqual([
      { v: isVerified },
    ]);
  }
});

describe('A provider with which no account may be linked', () => {
  it('offers no link at the callback, and takes no form that asks for one [IDP-046]', async () => {
    const id = await add({ ...OPEN, isLinkingAllowed: false, isCreationAllowed: false });
    const page = pageOf(await visit(web1, upstream, id, newcomer()));
    expect(page.text).not.toContain('Sign in to my account');
    const { action, fields } = page.formWith('csrf');
    expect(pageOf(await web1.browser.post(action, { ...fields, decision: 'link' })).status).toBe(400);
  });

  it('links nobody if that was forbidden while the question was open [IDP-046]', async () => {
    const id = await add({ ...OPEN, isCreationAllowed: false });
    const bob = await world.cast.bob;
    const page = pageOf(await visit(web1, upstream, id, newcomer()));
    const name = pageOf(await web1.browser.submit(page, { decision: 'link' }));
    const question = pageOf(await web1.enter({ page: name }, bob));
    expect(question.find('h1')?.text).toBe('Link this account?');
    await set(id, { ...OPEN, isLinkingAllowed: false });
    await web1.browser.submit(question, { decision: 'link' });
    expect(await linksOf(world, id)).toEqual([]);
  });

  it('is not offered on the account page, and links nobody who has left from there [IDP-046]', async () => {
    const id = await add(OPEN);
    const holder = new AccountHolder(world, await world.add.person({ orgId: org.id }));
    const page = await holder.open(paths.accountLinks);
    const { csrf } = page.formWith('provider').fields;
    const sent = { csrf, provider: id, decision: 'add' };
    const { redirect = '' } = await holder.browser.post(paths.accountLinks, sent);
    await set(id, { ...OPEN, isLinkingAllowed: false });
    const refused = pageOf(await comeBack(holder.browser, upstream.answerTo(redirect, { sub: uniqueName('late') })));
    expect([refused.status, await linksOf(world, id)]).toEqual([403, []]);
    const again = await holder.open(paths.accountLinks);
    expect(again.all('input[name="provider"]').map((field) => field.getAttribute('value'))).not.toContain(id);
    expect((await holder.browser.post(paths.accountLinks, sent)).redirect).toBeUndefined();
  });

  it('is linked by no import of a user [IDP-046]', async () => {
    const user = (id: string, subject: string) => ({
      userName: uniqueName('imported'),
      profile: { firstName: 'I', lastName: 'M' },
      email: { email: `${uniqueName('imported')}@mail.test`, isEmailVerified: true },
      idps: [{ configId: id, externalUserId: subject, displayName: 'x' }],
    });
    const closed = await add({ ...OPEN, isLinkingAllowed: false });
    expect(await owner.verdict('POST', '/management/v1/users/human/_import', user(closed, 'a'))).toBe(
      '400 idp.linking_not_allowed',
    );
    const open = await add(OPEN);
    await owner.call('POST', '/management/v1/users/human/_import', user(open, 'b'));
    expect([await linksOf(world, closed), (await linksOf(world, open)).length]).toEqual([[], 1]);
  });

  it('signs in who is linked already', async () => {
    const id = await add({});
    const bob = await world.cast.bob;
    await link(world, id, bob.id, bob.orgId, 'bob-there');
    expect(web1.toAnswer(await visit(web1, upstream, id, { sub: 'bob-there' })).code).toBeDefined();
  });
});

describe('The names of a linked user', () => {
  const names = { given_name: 'Changed', family_name: 'There', name: 'Changed There', email: 'new@mail.test' };

  it.each([true, false])('follow what the provider says: isAutoUpdate %s', async (isAutoUpdate) => {
    const id = await add({ ...OPEN, isAutoUpdate });
    const person = await world.add.person({ orgId: org.id });
    const sub = uniqueName('followed');
    await link(world, id, person.id, person.orgId, sub);
    const url = await leave(web1, id);
    const claims = { sub, ...names, email_verified: true };
    expect(web1.toAnswer(await comeBack(web1.browser, upstream.answerTo(url, claims))).code).toBeDefined();
    const [row] = await world.rows<{ firstName: string; email: string }>(
      'SELECT first_name AS "firstName", email FROM user_account WHERE id = $1',
      [person.id],
    );
    expect([row?.firstName === 'Changed', row?.email]).toEqual([isAutoUpdate, person.email]);
  });
});
