import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import type { SelfServicePolicy } from '../../src/org/policy/self-service-policy.entity.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { PendingEmails } from '../../src/user/pending-emails.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { withApp } from '../login/factor-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { codeIn, lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, sectionsOf, tokenFor } from './account-turns.js';

let world: World;
let person: TestPerson;
let holder: AccountHolder;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  const { id: orgId } = await world.add.org();
  await allow({ deleteAccount: true }, orgId);
  person = await world.add.person({ orgId });
  holder = new AccountHolder(world, person);
});

async function allow(policy: Partial<SelfServicePolicy>, orgId: string): Promise<void> {
  await world.transaction((tx) => world.get(PolicyService).set(tx, 'selfService', orgId, policy, EDITOR));
  await world.changesToArrive();
}

const stateOf = async ({ id }: TestPerson): Promise<string | undefined> =>
  (await world.rows<{ state: string }>('SELECT state FROM user_account WHERE id = $1', [id]))[0]?.state;
const deleteBy = async (page: Page): Promise<Page> =>
  pageOf(await holder.browser.submit(page, { loginName: person.loginName }));

/** Deletes the account, and returns the link of the mail. */
async function deletedWithLink(): Promise<string> {
  await deleteBy(await holder.open(paths.accountDeletion));
  const mail = await lastMailTo(world, person.email);
  codeIn(world, mail);
  const link = linkIn(mail);
  return `${link.pathname}${link.search}`;
}

describe('The deletion of an account', () => {
  it('closes it at once, with its sessions and tokens, and removes it when its time has come', async () => {
    const web1 = new RelyingParty(world, await world.cast.web1);
    const tokens = await web1.tokens(person, { scope: 'openid offline_access' });
    const closed = await deleteBy(await holder.open(paths.accountDeletion));
    expect([closed.heading, closed.text]).toEqual([
      'Your account is closed',
      expect.stringContaining('It will be deleted on'),
    ]);
    expect(await stateOf(person)).toBe('inactive');
    expect((await web1.introspect(tokens.access_token)).json()).toEqual({ active: false });
    expect((await web1.refresh(tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await holder.open()).heading).not.toBe('Your account');
    world.clock.advance('13d');
    await world.get(HousekeepingService).run();
    expect(await stateOf(person)).toBe('inactive');
    world.clock.advance('2d');
    await world.get(HousekeepingService).run();
    expect(await stateOf(person)).toBeUndefined();
    expect(await world.rows('SELECT type FROM event WHERE aggregate_id = $1 ORDER BY position', [person.id])).toEqual(
      expect.arrayContaining([{ type: 'user.removal.requested' }, { type: 'user.removed' }]),
    );
  });

  it('removes it at once where the policy gives no time', async () => {
    await allow({ accountDeletionGraceDays: 0 }, person.orgId);
    const gone = await deleteBy(await holder.open(paths.accountDeletion));
    expect([gone.heading, await stateOf(person)]).toEqual(['Your account is deleted', undefined]);
  });

  it('is only there where the organization allows it', async () => {
    await allow({ deleteAccount: false }, person.orgId);
    expect(sectionsOf(await holder.open())).not.toContain('Delete your account');
    expect((await holder.browser.request('GET', paths.accountDeletion)).status).toBe(404);
    const csrf = await tokenFor(holder, paths.accountDeletion);
    const fields = { csrf, loginName: person.loginName };
    expect((await holder.browser.request('POST', paths.accountDeletion, fields)).status).toBe(404);
    expect(await stateOf(person)).toBe('active');
  });

  it('needs the login name, typed, and every factor, proved within ten minutes [ACC-002]', async () => {
    const app = await withApp(world, person, []);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountDeletion)), () => app.code());
    const wrong = pageOf(await holder.browser.submit(page, { loginName: `x${person.loginName}` }));
    expect(errorsOf(wrong)).toEqual(['Type your login name exactly as it is shown.']);
    world.clock.advance('11m');
    expect((await deleteBy(wrong)).heading).toBe('Enter your password');
    expect(await stateOf(person)).toBe('active');
  });

  it('leaves no organization and no instance without an owner', async () => {
    await world.add.member(person.id, ['ORG_OWNER'], { level: 'org', objectId: person.orgId, orgId: person.orgId });
    const page = await holder.open(paths.accountDeletion);
    expect(errorsOf(await deleteBy(page))).toEqual([
      'You are the last owner of an organization or of this service. Name another one first.',
    ]);
    const other = await world.add.person({ orgId: person.orgId });
    await world.add.member(other.id, ['ORG_OWNER'], { level: 'org', objectId: person.orgId, orgId: person.orgId });
    expect((await deleteBy(page)).heading).toBe('Your account is closed');
  });

  it('leaves an owner of the organization, also if the last two go at once', async () => {
    const other = await world.add.person({ orgId: person.orgId });
    const both = [holder, new AccountHolder(world, other)];
    for (const { person: owner } of both)
      await world.add.member(owner.id, ['ORG_OWNER'], { level: 'org', objectId: person.orgId, orgId: person.orgId });
    const pages = await Promise.all(both.map((each) => each.open(paths.accountDeletion)));
    await Promise.all(
      both.map((each, index) => each.browser.submit(pages[index]!, { loginName: each.person.loginName })),
    );
    expect((await Promise.all(both.map((each) => stateOf(each.person)))).sort()).toEqual(['active', 'inactive']);
  });

  it('ends the sessions of sign-ins that happen at the same time', async () => {
    const page = await holder.open(paths.accountDeletion);
    const elsewhere = Array.from({ length: 4 }, () => new AccountHolder(world, person));
    await Promise.all([deleteBy(page), ...elsewhere.map((each) => each.open())]);
    expect(await stateOf(person)).toBe('inactive');
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', [person.id])).toEqual([]);
  });
});

describe('A deleted account', () => {
  it('is taken back by the link of the mail, which opening does not spend, once', async () => {
    const link = await deletedWithLink();
    const visitor = new AccountHolder(world, person);
    await visitor.browser.get(link);
    const page = pageOf(await visitor.browser.get(link));
    expect([page.heading, await stateOf(person)]).toEqual(['Take your account back?', 'inactive']);
    const back = pageOf(await visitor.browser.submit(page, {}));
    expect([back.heading, await stateOf(person)]).toEqual(['Your account is open again', 'active']);
    expect((await visitor.open()).heading).toBe('Your account');
    const again = pageOf(await visitor.browser.submit(pageOf(await visitor.browser.get(link)), {}));
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('This link does not work any more.')]);
    world.clock.advance('20d');
    await world.get(HousekeepingService).run();
    expect(await stateOf(person)).toBe('active');
  });

  it('is not taken back by another code, by that of another account, or when it is due', async () => {
    const link = await deletedWithLink();
    const other = await world.add.person({ orgId: person.orgId });
    for (const wrong of [link.replace(/code=\w/, 'code=0'), link.replace(person.id, other.id)]) {
      const page = pageOf(await holder.browser.get(wrong));
      expect(pageOf(await holder.browser.submit(page, {})).status).toBe(400);
    }
    world.clock.advance('15d');
    const page = pageOf(await holder.browser.get(link));
    expect(pageOf(await holder.browser.submit(page, {})).status).toBe(400);
    expect(await stateOf(person)).toBe('inactive');
  });

  it('is not deleted again by the old form after it was taken back [ACC-010]', async () => {
    const page = await holder.open(paths.accountDeletion);
    const link = await deletedWithLink();
    await holder.browser.submit(pageOf(await holder.browser.get(link)), {});
    await holder.open();
    const fields = { ...page.formWith('csrf').fields, loginName: person.loginName };
    const stale = pageOf(await holder.browser.post(paths.accountDeletion, fields));
    const csrf = await tokenFor(holder, paths.accountDeletion);
    const renewed = pageOf(await holder.browser.post(paths.accountDeletion, { ...fields, csrf }));
    expect([stale.heading, errorsOf(renewed), await stateOf(person)]).toEqual([
      expect.not.stringMatching('closed'),
      [expect.any(String)],
      'active',
    ]);
  });

  it('leaves nothing of what was begun before to an account that is taken back', async () => {
    const { id } = person;
    await world.transaction(async (tx) => {
      const user = await world.get(UserService).get(tx, id);
      await world.get(PersonService).sendPasskeyLink(tx, user, EDITOR);
      await world.get(PersonService).requestPasswordReset(tx, user, 'email', EDITOR);
      await world.get(PendingEmails).begin(tx, user, 'other@mail.test');
    });
    const link = await deletedWithLink();
    expect(pageOf(await holder.browser.submit(pageOf(await holder.browser.get(link)), {})).status).toBe(200);
    expect(await world.rows('SELECT kind FROM user_code WHERE user_id = $1', [id])).toEqual([]);
    expect(await world.rows('SELECT email FROM pending_email WHERE user_id = $1', [id])).toEqual([]);
  });

  it('stays closed by a manager who deactivates it, whatever link its user has', async () => {
    const link = await deletedWithLink();
    await world.transaction((tx) => world.get(UserService).changeState(tx, person.id, 'inactive', EDITOR));
    await holder.browser.submit(pageOf(await holder.browser.get(link)), {});
    expect(await stateOf(person)).toBe('inactive');
    world.clock.advance('20d');
    await world.get(HousekeepingService).run();
    expect(await stateOf(person)).toBe('inactive');
  });

  it('is kept by a manager who opens it', async () => {
    await deletedWithLink();
    await world.transaction((tx) => world.get(UserService).changeState(tx, person.id, 'active', EDITOR));
    world.clock.advance('20d');
    await world.get(HousekeepingService).run();
    expect(await stateOf(person)).toBe('active');
  });

  it('is taken back at the public address, whatever host the request named', async () => {
    const page = await holder.open(paths.accountDeletion);
    const fields = { ...page.formWith('loginName').fields, loginName: person.loginName };
    await holder.browser.request('POST', paths.accountDeletion, fields, {
      'X-Forwarded-Host': 'evil.test',
      Forwarded: 'host=evil.test',
    });
    expect(linkIn(await lastMailTo(world, person.email)).origin).toBe(new URL(world.issuer).origin);
  });

  it('tells its owner by mail', async () => {
    await deletedWithLink();
    const [mail] = await mailsTo(world, person.email);
    expect(mail?.text).toMatch(
      new RegExp(`${person.loginName} was closed and will be deleted on \\d{4}-\\d\\d-\\d\\d`),
    );
  });
});

describe('What the organization does not leave to its users', () => {
  it.each<[keyof SelfServicePolicy, string, string]>([
    ['editProfile', 'Name and language', paths.accountProfile],
    ['changePassword', 'Password', paths.accountPassword],
    ['manageFactors', 'Second steps', paths.accountSteps],
    ['linkProviders', 'Linked accounts', paths.accountLinks],
    ['downloadData', 'Download your data', paths.accountData],
  ])('%s: is neither shown nor taken', async (setting, section, path) => {
    expect(sectionsOf(await holder.open())).toContain(section);
    await allow({ [setting]: false }, person.orgId);
    expect(sectionsOf(await holder.open())).not.toContain(section);
    const csrf = await tokenFor(holder, path);
    expect((await holder.browser.request('POST', path, { csrf })).status).toBe(404);
  });

  it('changeEmail, changePhone: leaves the other one', async () => {
    await allow({ changeEmail: false }, person.orgId);
    const page = await holder.open(paths.accountContact);
    expect([page.find('input[name="email"]'), page.find('input[name="phone"]') === null]).toEqual([null, false]);
    const csrf = await tokenFor(holder, paths.accountContact);
    const fields = { csrf, decision: 'email', email: 'mallory@evil.test' };
    expect((await holder.browser.request('POST', paths.accountContact, fields)).status).toBe(404);
    await allow({ changePhone: false }, person.orgId);
    expect(sectionsOf(await holder.open())).not.toContain('E-mail and phone');
  });
});
