import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { ClaimedNames } from '../../src/user/claimed-names.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import type { CodeKind } from '../../src/user/user-code.entity.js';
import { UserCodes } from '../../src/user/user-codes.js';
import { UserMails } from '../../src/user/user-mails.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { EDITOR, PASSWORD, type TestOrg, uniqueName } from '../support/builders.js';
import { codeIn, lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let org: TestOrg;
let api: AdminApi;
let owner: AdminApi;

beforeAll(async () => {
  world = await startWorld({ publicUrl: 'https://id.test' });
  org = await world.cast.orgA;
  ({ api } = await callerWith(world, org, ['ORG_OWNER']));
  ({ api: owner } = await callerWith(world, org, ['IAM_OWNER']));
});
beforeEach(() => world.clock.advance('1m'));
afterAll(() => world.close());

interface Made {
  readonly id: string;
  readonly email: string;
}

async function make(over: Record<string, unknown> = {}, isEmailVerified = false): Promise<Made> {
  const userName = uniqueName('cause');
  const email = `${userName}@mail.test`;
  const { userId } = await api.call('POST', '/management/v1/users/human', {
    userName,
    profile: { firstName: 'Ilse', lastName: 'Brandt' },
    email: { email, isEmailVerified },
    ...over,
  });
  return { id: userId as string, email };
}

const subjectsTo = async (email: string): Promise<string[]> =>
  (await mailsTo(world, email)).map(({ subject }) => subject);
const spend = async (id: string, kind: CodeKind, code: string): Promise<boolean> => {
  const checked = await world.get(UserCodes).check(id, kind, code);
  return checked !== undefined && world.transaction((tx) => world.get(UserCodes).spend(tx, checked));
};

const INIT = 'Set up your account';
const VERIFY = 'Confirm your e-mail address';
const RESET = 'Choose a new password';
const CHANGED = 'Your password was changed';
const CLAIMED = 'Your login name has changed';

describe('A new account', () => {
  it.each<[string, Record<string, unknown>, boolean, string[]]>([
    ['neither password nor verified address', {}, false, [INIT]],
    ['a verified address alone', {}, true, [INIT]],
    ['a password alone', { initialPassword: PASSWORD }, false, [INIT]],
    ['both', { initialPassword: PASSWORD }, true, []],
  ])('with %s', async (_, over, isVerified, subjects) => {
    const { email } = await make(over, isVerified);
    expect(await subjectsTo(email)).toEqual(subjects);
  });

  it.each<[string, Record<string, unknown>, boolean, string[]]>([
    ['from elsewhere, without a password', {}, false, [INIT]],
    ['from elsewhere, with everything', { password: PASSWORD }, true, []],
  ])('%s', async (_, over, isEmailVerified, subjects) => {
    const userName = uniqueName('import');
    const email = `${userName}@mail.test`;
    await api.call('POST', '/management/v1/users/human/_import', {
      userName,
      profile: { firstName: 'Ilse', lastName: 'Brandt' },
      email: { email, isEmailVerified },
      ...over,
    });
    expect(await subjectsTo(email)).toEqual(subjects);
  });

  it('that comes with an identity provider proves its address and no more', async () => {
    const { idpId } = await api.call('POST', '/management/v1/idps/oidc', {
      name: uniqueName('idp'),
      clientId: 'c',
      clientSecret: 's',
      issuer: 'https://op.test',
    });
    const userName = uniqueName('linked');
    const email = `${userName}@mail.test`;
    await api.call('POST', '/management/v1/users/human/_import', {
      userName,
      profile: { firstName: 'Ilse', lastName: 'Brandt' },
      email: { email },
      idps: [{ configId: idpId, externalUserId: userName, displayName: '' }],
    });
    expect(await subjectsTo(email)).toEqual([VERIFY]);
  });

  it('gets its mail as the owner of a new organization', async () => {
    const email = `${uniqueName('first')}@mail.test`;
    await owner.call('POST', '/admin/v1/orgs/_setup', {
      org: { name: uniqueName('House') },
      human: { userName: uniqueName('owner'), profile: { firstName: 'Ada', lastName: 'L' }, email: { email } },
    });
    expect(await subjectsTo(email)).toEqual([INIT]);
  });

  it('that its owner makes proves its address', async () => {
    const userName = uniqueName('self');
    const email = `${userName}@mail.test`;
    await world.transaction((tx) =>
      world
        .get(PersonService)
        .register(
          tx,
          { orgId: org.id, userName, email, profile: { firstName: 'A', lastName: 'B' } },
          { authRequestId: 'r1' },
        ),
    );
    const link = linkIn(await lastMailTo(world, email));
    expect([link.origin + link.pathname, link.searchParams.get('authRequestID')]).toEqual([
      'https://id.test/ui/login/mail/verification',
      'r1',
    ]);
  });

  it('gets no mail if its transaction fails', async () => {
    const userName = uniqueName('never');
    await expect(
      world.transaction(async (tx) => {
        await world
          .get(PersonService)
          .add(
            tx,
            { orgId: org.id, userName, email: `${userName}@mail.test`, profile: { firstName: 'A', lastName: 'B' } },
            EDITOR,
          );
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await subjectsTo(`${userName}@mail.test`)).toEqual([]);
  });
});

describe('The mail to set an account up', () => {
  it('has the link that manuals know, with a code of six characters that works once', async () => {
    const { id, email } = await make();
    const mail = await lastMailTo(world, email);
    const { origin, pathname, searchParams } = linkIn(mail);
    const code = codeIn(world, mail);
    expect(origin + pathname).toBe('https://id.test/ui/login/user/init');
    expect(Object.fromEntries(searchParams)).toEqual({
      userID: id,
      loginname: email.replace('@mail.test', '@orga.test'),
      code,
      orgID: org.id,
      passwordset: 'false',
    });
    expect(code).toMatch(/^[A-Z0-9]{6}$/);
    expect(mail.text).toContain(`enter ${code}`);
    expect(await spend(id, 'init', code.toLowerCase())).toBe(true);
    expect(await spend(id, 'init', code)).toBe(false);
  });

  it('reports that a password is set already', async () => {
    const { email } = await make({ initialPassword: PASSWORD });
    expect(linkIn(await lastMailTo(world, email)).searchParams.get('passwordset')).toBe('true');
  });

  it('is sent again with a new code, also to another address; the old code opens nothing [LOG-038]', async () => {
    const { id, email } = await make();
    const first = codeIn(world, await lastMailTo(world, email));
    await api.call('POST', `/management/v1/users/${id}/_resend_initialization`, {});
    const second = codeIn(world, await lastMailTo(world, email));
    expect(await spend(id, 'init', first)).toBe(false);
    const other = `${uniqueName('other')}@mail.test`;
    await api.call('POST', `/management/v1/users/${id}/_resend_initialization`, { email: other });
    expect(await subjectsTo(email)).toEqual([INIT, INIT]);
    expect(await subjectsTo(other)).toEqual([INIT]);
    expect(await spend(id, 'init', second)).toBe(false);
    expect(await spend(id, 'init', codeIn(world, await lastMailTo(world, other)))).toBe(true);
  });

  it('comes in words of invitation where a manager invites, with a code in place of the first', async () => {
    const { id, email } = await make();
    const first = codeIn(world, await lastMailTo(world, email));
    await api.call('POST', `/management/v1/users/${id}/_invite`, { applicationName: 'Orders' });
    const mail = await lastMailTo(world, email);
    expect(mail.subject).toBe('Invitation to Orders');
    expect(linkIn(mail).pathname).toBe('/ui/login/user/init');
    expect(await spend(id, 'init', first)).toBe(false);
    expect(await spend(id, 'init', codeIn(world, mail))).toBe(true);
  });

  it('invites to the organization if no application is named, but not a user who is set up', async () => {
    const { id, email } = await make();
    expect(await subjectsTo(email)).toEqual([INIT]);
    await api.call('POST', `/management/v1/users/${id}/_invite`, {});
    expect(await subjectsTo(email)).toEqual(['Invitation to orga.test', INIT]);
    const { id: done } = await make({ initialPassword: PASSWORD }, true);
    expect(await api.verdict('POST', `/management/v1/users/${done}/_invite`, {})).toBe('400 user.not_initial');
    const { id: stranger } = await world.add.person({ orgId: (await world.cast.orgB).id });
    expect(await api.verdict('POST', `/management/v1/users/${stranger}/_invite`, {})).toBe('404 user.not_found');
  });
});

describe('The mail to prove an address', () => {
  it('goes to the new address when it changes; the flag falls, and codes that went to the old one are worth nothing [LOG-050]', async () => {
    const { id, email } = await make({ initialPassword: PASSWORD }, true);
    await api.call('POST', `/management/v1/users/${id}/password/_reset`, {});
    const resetCode = codeIn(world, await lastMailTo(world, email));
    const other = `${uniqueName('other')}@mail.test`;
    await api.call('PUT', `/management/v1/users/${id}/email`, { email: other });
    const { email: stored } = await api.call('GET', `/management/v1/users/${id}/email`);
    expect(stored).toEqual({ email: other, isEmailVerified: false });
    const mail = await lastMailTo(world, other);
    expect(mail.subject).toBe(VERIFY);
    const { pathname, searchParams } = linkIn(mail);
    expect([pathname, searchParams.get('userID'), searchParams.get('orgID')]).toEqual([
      '/ui/login/mail/verification',
      id,
      org.id,
    ]);
    expect(await spend(id, 'password_reset', resetCode)).toBe(false);
    await api.call('POST', `/management/v1/users/${id}/email/_resend_verification`, {});
    expect(await spend(id, 'email', codeIn(world, mail))).toBe(false);
    expect(await spend(id, 'email', codeIn(world, await lastMailTo(world, other)))).toBe(true);
  });

  it('is not sent for an address that a manager vouches for', async () => {
    const { id } = await make({ initialPassword: PASSWORD }, true);
    const other = `${uniqueName('other')}@mail.test`;
    await api.call('PUT', `/management/v1/users/${id}/email`, { email: other, isEmailVerified: true });
    expect(await subjectsTo(other)).toEqual([]);
  });
});

describe('Passwords', () => {
  it('are reset by a code that goes to the verified address, regardless of who requests it', async () => {
    const { id, email } = await make({ initialPassword: PASSWORD }, true);
    await api.call('POST', `/management/v1/users/${id}/password/_reset`, {});
    const mail = await lastMailTo(world, email);
    const { pathname, searchParams } = linkIn(mail);
    expect([mail.subject, pathname, searchParams.get('userID')]).toEqual([RESET, '/ui/login/password/init', id]);
    await world.transaction((tx) =>
      world.get(PersonService).sendWayBack(tx, { userId: id, orgId: org.id }, { authRequestId: 'r2' }),
    );
    expect(linkIn(await lastMailTo(world, email)).searchParams.get('authRequestID')).toBe('r2');
    expect(await subjectsTo(email)).toEqual([RESET, RESET]);
  });

  it('a user who has forgotten it is sent what they need: the set-up if that is not done, nothing to an address that need not be theirs', async () => {
    const back = (userId: string): Promise<void> =>
      world.transaction((tx) => world.get(PersonService).sendWayBack(tx, { userId, orgId: org.id }));
    const fresh = await make();
    // Otherwise the second mail could withdraw the first one, which is still waiting.
    expect(await subjectsTo(fresh.email)).toEqual([INIT]);
    await back(fresh.id);
    expect(await subjectsTo(fresh.email)).toEqual([INIT, INIT]);
    const unproven = await world.add.person({ orgId: org.id, emailVerified: false });
    await back(unproven.id);
    expect(await subjectsTo(unproven.email)).toEqual([]);
    const locked = await world.add.person({ orgId: org.id });
    await api.call('POST', `/management/v1/users/${locked.id}/_lock`, {});
    await back(locked.id);
    expect(await subjectsTo(locked.email)).toEqual([]);
  });

  it('a user who had one gets a notice of the change, if the policy says so', async () => {
    const { id, email } = await world.add.person({ orgId: org.id });
    await api.call('POST', `/management/v1/users/${id}/password`, { password: 'Other-Horse-8' });
    expect(await subjectsTo(email)).toEqual([CHANGED]);
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'notification', org.id, { passwordChange: false }, EDITOR),
    );
    await api.call('POST', `/management/v1/users/${id}/password`, { password: 'Third-Horse-9' });
    expect(await subjectsTo(email)).toEqual([CHANGED]);
    await world.transaction((tx) => world.get(PolicyService).reset(tx, 'notification', org.id, EDITOR));
  });

  it('cause no notice when the first one is set', async () => {
    const { id, email } = await make({}, true);
    await api.call('POST', `/management/v1/users/${id}/password`, { password: PASSWORD });
    expect(await subjectsTo(email)).toEqual([INIT]);
  });
});

describe('A domain that is claimed', () => {
  it('gives users of other organizations whose name is at it another name, and notifies them', async () => {
    const domain = `${uniqueName('claim')}.test`;
    const orgB = await world.cast.orgB;
    const stranger = await world.add.person({
      orgId: orgB.id,
      userName: `erna@${domain}`,
      email: `${uniqueName('erna')}@mail.test`,
    });
    const own = await world.add.person({
      orgId: org.id,
      userName: `own@${domain}`,
      email: `${uniqueName('own')}@mail.test`,
    });
    const apart = await world.add.person({ orgId: orgB.id, userName: 'erna', email: `erna@${domain}` });
    await world.transaction((tx) => world.get(ClaimedNames).giveUp(tx, org.id, domain, EDITOR));
    const { user_name: name } = (
      await world.rows<{ user_name: string }>('SELECT user_name FROM user_account WHERE id = $1', [stranger.id])
    )[0]!;
    expect(name).toMatch(/^\d+@temporary\.id\.test$/);
    const mail = await lastMailTo(world, stranger.email);
    expect(mail.subject).toBe(CLAIMED);
    expect(mail.text.replaceAll('\u200b', '')).toContain(`sign in with ${name}`);
    expect(mail.text).toContain(`The domain ${domain} now belongs`);
    expect((await world.get(UserService).findByLoginName(name))?.userId).toBe(stranger.id);
    const names = await world.rows<{ user_name: string }>(
      'SELECT user_name FROM user_account WHERE id = ANY ($1) ORDER BY user_name',
      [[own.id, apart.id]],
    );
    expect(names.map(({ user_name }) => user_name)).toEqual(['erna', own.userName]);
    expect(
      await world.rows("SELECT 1 FROM event WHERE aggregate_id = $1 AND type = 'user.domain.claimed'", [stranger.id]),
    ).toHaveLength(1);
  });
});

describe('A one-time code', () => {
  it('says what it is for and how long it lives', async () => {
    const person = await world.add.person({ orgId: org.id });
    await world.transaction((tx) =>
      world.get(UserMails).sendOneTimeCode(tx, person, new Secret('40718263'), 300, { authRequestId: 'r3' }),
    );
    const mail = await lastMailTo(world, person.email);
    world.plant('40718263');
    expect(mail.text).toContain('Enter the code 40718263 to sign in to id.test');
    expect(mail.text).toContain('5 minutes');
    expect(linkIn(mail).href).toBe('https://id.test/ui/login/login?authRequestID=r3');
  });
});

describe('A user with whose address another person wanted to register [LOG-027]', () => {
  it('is notified in their own language, without a code', async () => {
    const person = await world.add.person({
      orgId: org.id,
      profile: { firstName: 'A', lastName: 'B', preferredLanguage: 'fr' },
    });
    await world.transaction(async (tx) =>
      world.get(UserMails).tellRegistrationTried(tx, await world.get(UserService).get(tx, person.id)),
    );
    const mail = await lastMailTo(world, person.email);
    expect(mail).toMatchObject({ subject: 'Vous avez déjà un compte', headers: { 'Content-Language': 'fr' } });
    expect(linkIn(mail).searchParams.has('code')).toBe(false);
  });
});

describe('The content of a mail', () => {
  it("is that of the organization, or else the instance, or else built in, in the user's language, or else the default one", async () => {
    const { email } = await make({ profile: { firstName: 'A', lastName: 'B', preferredLanguage: 'it-CH' } });
    expect((await lastMailTo(world, email)).headers['Content-Language']).toBe('it');
    const unknown = await make({ profile: { firstName: 'A', lastName: 'B', preferredLanguage: 'sw' } });
    expect((await lastMailTo(world, unknown.email)).headers['Content-Language']).toBe('en');
    await owner.call('PUT', '/admin/v1/text/message/init/en', {
      subject: 'From the instance',
      greeting: 'Hi {{.FirstName}}',
    });
    await api.call('PUT', '/management/v1/text/message/init/en', { subject: 'From the organization' });
    const { email: own } = await make();
    const mail = await lastMailTo(world, own);
    expect(mail.subject).toBe('From the organization');
    expect(mail.text).toContain('Hi Ilse');
    const { api: ofB } = await callerWith(world, await world.cast.orgB, ['ORG_OWNER']);
    const other = `${uniqueName('b')}@mail.test`;
    await ofB.call('POST', '/management/v1/users/human', {
      userName: uniqueName('b'),
      profile: { firstName: 'A', lastName: 'B' },
      email: { email: other },
    });
    expect(await subjectsTo(other)).toEqual(['From the instance']);
    await api.call('DELETE', '/management/v1/text/message/init/en');
    await owner.call('DELETE', '/admin/v1/text/message/init/en');
  });
});
