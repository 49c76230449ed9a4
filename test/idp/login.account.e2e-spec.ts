import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { User } from '../../src/user/user.entity.js';
import { errorsOf, pageOf } from '../login/turns.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { type Claims, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBackOnce, leave, link, linksOf, OUTBOUND, setPolicy, visit } from './external.js';

let world: World;
let upstream: Upstream;
let alice: TestPerson;
let orgA: TestOrg;
let web1: RelyingParty;
/** Registers people. */
let openId: string;
/** Does not. */
let closedId: string;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  orgA = await world.cast.orgA;
  alice = await world.cast.alice;
  openId = await addOidc(world, upstream.issuer, { autoRegister: true, name: 'Open accounts' });
  closedId = await addOidc(world, upstream.issuer, { name: 'Closed accounts' });
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  upstream.lies = {};
});

const ofOrgA = (): { scope: string } => ({ scope: `openid urn:service:iam:org:id:${orgA.id}` });
let count = 0;
const newSubject = (): string => `somebody-${(count += 1)}`;

/** The account that a user got at their first visit. */
async function accountOf(subject: string, idpId = openId): Promise<User | undefined> {
  const [row] = await world.rows<User>(
    `SELECT u.id, u.org_id AS "orgId", u.state, u.user_name AS "userName", u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName", u.nick_name AS "nickName",
       u.preferred_language AS "preferredLanguage", u.email, u.email_verified AS "emailVerified", u.phone, u.phone_verified AS "phoneVerified", u.password_hash AS "passwordHash"
     FROM user_account u JOIN idp_link l ON l.user_id = u.id WHERE l.idp_id = $1 AND l.external_user_id = $2`,
    [idpId, subject],
  );
  return row;
}

/** Their first visit. @throws Error when it does not end with an account */
async function newcomer(about: Claims, idpId = openId): Promise<User> {
  const sub = (about['sub'] as string | undefined) ?? newSubject();
  await visit(
    web1.elsewhere(),
    upstream,
    idpId,
    { email: `${sub}@mail.test`, email_verified: true, ...about, sub },
    ofOrgA(),
  );
  const account = await accountOf(sub, idpId);
  if (!account) throw new Error(`${sub} has no account.`);
  return account;
}

const codesOf = (userId: string): Promise<Array<{ kind: string }>> =>
  world.rows('SELECT kind FROM user_code WHERE user_id = $1', [userId]);
const people = async (): Promise<number> =>
  (await world.rows<{ n: number }>(`SELECT count(*)::int AS n FROM user_account`))[0]!.n;

describe('An unknown user of a provider that registers users', () => {
  it('gets an account from the claims, in the organization that the application requests, and is signed in', async () => {
    const sub = newSubject();
    const arrival = await visit(
      web1,
      upstream,
      openId,
      {
        sub,
        preferred_username: 'dora',
        email: 'dora@mail.test',
        email_verified: true,
        given_name: 'Dora',
        family_name: 'Diamond',
        name: 'Dora D.',
        nickname: 'Dodo',
        locale: 'de-CH',
        phone_number: '+41 79 123 45 67',
        phone_number_verified: true,
      },
      ofOrgA(),
    );
    expect(web1.toAnswer(arrival).code).toBeDefined();
    const account = await accountOf(sub);
    expect(account).toMatchObject({
      orgId: orgA.id,
      state: 'active',
      userName: 'dora',
      firstName: 'Dora',
      lastName: 'Diamond',
      displayName: 'Dora D.',
      nickName: 'Dodo',
      preferredLanguage: 'de-CH',
      email: 'dora@mail.test',
      emailVerified: true,
      phone: '+41791234567',
      phoneVerified: true,
      passwordHash: null,
    });
    expect(await codesOf(account!.id)).toEqual([]); // nothing is missing, so nothing is sent
    expect(await linksOf(world, openId)).toContainEqual({
      userId: account!.id,
      externalUserId: sub,
      displayName: 'dora',
    });
    const events = await world.rows<{ type: string }>(
      `SELECT type FROM event WHERE aggregate_type = 'user' AND aggregate_id = $1 ORDER BY sequence`,
      [account!.id],
    );
    expect(events.map(({ type }) => type)).toEqual(['user.human.added', 'user.human.externalidp.added']);
  });

  it('gets it in the default organization where the application asks for none', async () => {
    const sub = newSubject();
    await visit(web1, upstream, openId, { sub, email: `${sub}@mail.test` });
    const [instance] = await world.rows<{ id: string }>('SELECT default_org_id AS id FROM instance');
    expect((await accountOf(sub))?.orgId).toBe(instance!.id);
  });

  it('is described by the UserInfo endpoint if the token has few claims', async () => {
    const sub = newSubject();
    upstream.lies = {
      userInfo: {
        sub,
        given_name: 'Ulla',
        family_name: 'Info',
        preferred_username: 'ulla',
        email: 'ulla@mail.test',
        email_verified: true,
      },
    };
    await visit(web1, upstream, openId, { sub }, ofOrgA());
    expect(await accountOf(sub)).toMatchObject({
      userName: 'ulla',
      firstName: 'Ulla',
      email: 'ulla@mail.test',
      emailVerified: true,
    });
  });

  it('is not described by a UserInfo response about another user (OIDC Core §5.3.2)', async () => {
    const sub = newSubject();
    upstream.lies = { userInfo: { sub: 'somebody else', email: 'ulla@mail.test' } };
    expect(pageOf(await visit(web1, upstream, openId, { sub }, ofOrgA())).status).toBe(400);
    expect(await accountOf(sub)).toBeUndefined();
  });

  it('has the names that are known, in default of others', async () => {
    expect(await newcomer({ name: 'Maria von der Heide' })).toMatchObject({
      firstName: 'Maria von der',
      lastName: 'Heide',
    });
    expect(await newcomer({ email: 'solo@mail.test' })).toMatchObject({
      userName: 'solo@mail.test',
      firstName: 'solo@mail.test',
      lastName: 'solo@mail.test',
    });
  });

  it('is asked for an address if the provider sends none, and verifies it later', async () => {
    const sub = newSubject();
    const page = pageOf(await visit(web1, upstream, openId, { sub, preferred_username: 'noemi' }, ofOrgA()));
    expect([page.status, page.find('h1')?.text]).toEqual([200, 'Not linked yet']);
    for (const email of ['', 'no address', 'noemi@orgb.test']) {
      await world.cast.orgB;
      const again = pageOf(await web1.browser.submit(page, { email, decision: 'create' }));
      expect([again.status, again.find('input[name="email"]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    }
    expect(await accountOf(sub)).toBeUndefined();
    await web1.browser.submit(page, { email: 'noemi@mail.test', decision: 'create' });
    const account = await accountOf(sub);
    expect(account).toMatchObject({
      userName: 'noemi',
      email: 'noemi@mail.test',
      emailVerified: false,
      state: 'active',
    });
    expect(await codesOf(account!.id)).toEqual([{ kind: 'email' }]);
  });

  it('has proved who they are when they came back, and not when the account is made [ACC-018]', async () => {
    for (const demand of [{}, { max_age: 600 }]) {
      const sub = newSubject();
      const party = web1.elsewhere();
      const page = pageOf(await visit(party, upstream, openId, { sub }, { ...ofOrgA(), ...demand }));
      const cameAt = world.clock.now();
      world.clock.advance('1m');
      await party.browser.submit(page, { email: `${sub}@mail.test`, decision: 'create' });
      const sessions = await world.rows(
        'SELECT external_checked_at AS "checkedAt", external_proved_at AS "provedAt" FROM session WHERE user_id = $1',
        [(await accountOf(sub))!.id],
      );
      expect(sessions).toEqual([{ checkedAt: world.clock.now(), provedAt: 'max_age' in demand ? cameAt : null }]);
    }
  });

  it('gets one account, however often they come at once', async () => {
    const sub = newSubject();
    const parties = await Promise.all(Array.from({ length: 6 }, async () => web1.elsewhere()));
    const answers = await Promise.all(
      parties.map(async (rp) => ({
        rp,
        answer: upstream.answerTo(await leave(rp, openId, ofOrgA()), {
          sub,
          email: 'once@mail.test',
          email_verified: true,
          preferred_username: 'once',
        }),
      })),
    );
    const before = await people();
    const replies = await Promise.all(answers.map(({ rp, answer }) => comeBackOnce(rp.browser, answer)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(302));
    expect(await people()).toBe(before + 1);
  });

  it('does not get an address at a domain that another organization owns, regardless of the claims [LOG-047]', async () => {
    const { domain } = await world.cast.orgB;
    for (const [email_verified, email] of [
      [true, `eve@${domain}`],
      [false, `eve@${domain.toUpperCase()}`],
    ]) {
      const sub = newSubject();
      const client = web1.elsewhere();
      const page = pageOf(
        await visit(client, upstream, openId, { sub, preferred_username: 'eve', email, email_verified }, ofOrgA()),
      );
      expect([page.heading, errorsOf(page), page.forms[0]!.fields['email']]).toEqual([
        'Error: Not linked yet',
        ['This e-mail address cannot be used to register here. Ask your administrator for an account.'],
        email,
      ]);
      expect(pageOf(await client.browser.submit(page, { decision: 'create' })).status).toBe(400);
      expect(await accountOf(sub)).toBeUndefined();
      await client.browser.submit(page, { email: `${sub}@mail.test`, decision: 'create' });
      expect(await accountOf(sub)).toMatchObject({ email: `${sub}@mail.test`, emailVerified: false });
    }
  });

  it('is known the next time, and stays as they are here', async () => {
    const sub = newSubject();
    const account = await newcomer({ sub, preferred_username: 'frida', given_name: 'Frida' });
    await newcomer({ sub, preferred_username: 'other', given_name: 'Other', email: 'other@mail.test' });
    expect(await accountOf(sub)).toEqual(account);
  });
});

describe('What is stored of a provider', () => {
  it('calls people by the field that the mapping names', async () => {
    const byEmail = await addOidc(world, upstream.issuer, {
      autoRegister: true,
      usernameMapping: 'email',
      displayNameMapping: 'email',
    });
    const sub = newSubject();
    const account = await newcomer(
      { sub, preferred_username: 'gerda', email: 'gerda@mail.test', name: 'Gerda G.' },
      byEmail,
    );
    expect(account).toMatchObject({ userName: 'gerda@mail.test', displayName: 'gerda@mail.test' });
    expect((await linksOf(world, byEmail))[0]?.displayName).toBe('gerda@mail.test');
    const byName = await addOidc(world, upstream.issuer, {
      autoRegister: true,
      usernameMapping: 'preferred_username',
      displayNameMapping: 'preferred_username',
    });
    expect(
      await newcomer({ preferred_username: 'hanna', email: 'hanna@mail.test', name: 'Hanna H.' }, byName),
    ).toMatchObject({ userName: 'hanna', displayName: 'hanna' });
  });
});

describe('Whose account it is', () => {
  it('is never decided by an address: neither one that the other side has not verified, nor one that it has', async () => {
    const attacker = await world.add.person({
      orgId: orgA.id,
      userName: 'early-bird',
      email: 'victim@mail.test',
      emailVerified: false,
    });
    const account = await newcomer({ preferred_username: 'victim', email: 'victim@mail.test', email_verified: true });
    expect(account.id).not.toBe(attacker.id);
    const verified = await world.add.person({ orgId: orgA.id, userName: 'owner', email: 'shared@mail.test' });
    expect((await newcomer({ email: 'shared@mail.test', email_verified: true })).id).not.toBe(verified.id);
    // The attacker's password opens the attacker's account, and no other.
    const rp = web1.elsewhere();
    const confirm = pageOf(await rp.enter(await rp.authorize(), attacker));
    expect(confirm.text).toContain('victim@mail.test'); // which the attacker cannot read
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1', [account.id])).toHaveLength(1);
  });

  it.each([false, undefined, 'true', 1])(
    'an address is not verified by email_verified: %j, and a code goes to it first [IDP-028]',
    async (email_verified) => {
      const account = await newcomer({ email: 'alice@mail.test', email_verified });
      expect(account).toMatchObject({ emailVerified: false });
      expect(account.id).not.toBe(alice.id);
      expect(await codesOf(account.id)).toEqual([{ kind: 'email' }]);
    },
  );

  it('is decided by the provider and its very own name of the person [IDP-029]', async () => {
    const sub = newSubject();
    const first = await newcomer({ sub, email: 'ida@mail.test' });
    const otherId = await addOidc(world, upstream.issuer, { autoRegister: true });
    const others = [
      await newcomer({ sub, email: 'ida@mail.test' }, otherId), // the same at another provider
      await newcomer({ email: 'ida@mail.test' }), // another with the same address
    ];
    for (const alike of [sub.toUpperCase(), `${sub} `, ` ${sub}`, `${sub}\u00a0`, sub.replace('s', '\u0455')])
      others.push(await newcomer({ sub: alike, email: 'ida@mail.test' }));
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(others.length + 1);
  });

  it('does not change with an address or a name there, even if it is that of another user [IDP-030]', async () => {
    const bob = await world.cast.bob;
    const sub = newSubject();
    const before = await newcomer({ sub, preferred_username: 'jana', email: 'jana@mail.test' });
    const rp = web1.elsewhere();
    const answer = rp.toAnswer(
      await visit(
        rp,
        upstream,
        openId,
        { sub, preferred_username: bob.userName, email: bob.email, email_verified: true },
        ofOrgA(),
      ),
    );
    expect(decodeJwt(tokensOf(await rp.redeem(answer['code']!)).id_token).sub).toBe(before.id);
    expect(await linksOf(world, openId)).toContainEqual({
      userId: before.id,
      externalUserId: sub,
      displayName: 'jana',
    });
  });
});

describe('The user name of an account from claims [IDP-031]', () => {
  it.each<[string, unknown, RegExp]>([
    ['what an administrator is called', 'admin', /^admin(-2)?$/],
    ["another user's name", 'alice', /^alice-\d$/],
    ["another user's name in capitals", 'ALICE', /^ALICE-\d$/],
    ["another user's name in wide letters", 'ａlice', /^ａlice-\d$/],
  ])('gets a number appended when the provider sends %s', async (_, preferred_username, expected) => {
    const { userName, id, orgId } = await newcomer({ preferred_username, email_verified: false });
    expect(userName).toMatch(expected);
    expect([id === alice.id, orgId]).toEqual([false, orgA.id]);
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['5,000 characters', 'x'.repeat(5_000)],
    ['a script', '"><script>x()</script>'],
    ['a script as an address', 'javascript:x()'],
    ['two lines', 'a\r\nBcc: evil@evil.test'],
    ['two words', 'two words'],
    ['an object', { a: 1 }],
    ['a number', 7],
    ["another user's name", 'alice'],
  ])('is the address of the user when the provider sends %s', async (_, preferred_username) => {
    const { userName, email } = await newcomer({ preferred_username });
    expect(userName).toBe(email);
  });

  it('is nothing at the domain of another organization', async () => {
    await world.cast.orgB;
    const bySub = newSubject();
    const { userName, orgId } = await newcomer({
      sub: bySub,
      preferred_username: 'bob@orgb.test',
      email_verified: true,
    });
    expect([userName.includes('orgb'), orgId]).toEqual([false, orgA.id]);
  });

  it('has something random behind it when all that is near is taken', async () => {
    for (const userName of ['kim', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `kim-${number}`)])
      await world.add.person({ orgId: orgA.id, userName });
    const { userName } = await newcomer({ preferred_username: 'kim', email: 'kim@mail.test', email_verified: false });
    expect(userName).toMatch(/^kim-[a-z0-9]{6}$/);
  });
});

describe('An account that may not be used [IDP-032, LOG-043]', () => {
  it.each(['dave', 'erin', 'uma'] as const)('is not opened by a provider either: %s', async (name) => {
    const person = await world.cast[name];
    await link(world, closedId, person.id, person.orgId, name);
    const page = pageOf(await visit(web1, upstream, closedId, { sub: name }));
    expect([page.status, page.find('h1')?.text]).toEqual([403, 'This account cannot be used']);
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1', [person.id])).toEqual([]);
  });

  it('is not opened where the application wants people of another organization', async () => {
    const carol = await world.cast.carol;
    await link(world, closedId, carol.id, carol.orgId, 'carol-there');
    expect(pageOf(await visit(web1, upstream, closedId, { sub: 'carol-there' }, ofOrgA())).status).toBe(403);
    expect(web1.toAnswer(await visit(web1.elsewhere(), upstream, closedId, { sub: 'carol-there' })).code).toBeDefined();
  });

  it("is not opened by another organization's provider, even where it is linked", async () => {
    const { id: orgB } = await world.cast.orgB;
    const own = await addOidc(world, upstream.issuer, {}, orgB);
    await link(world, own, alice.id, alice.orgId, 'alice-there');
    const over = { scope: `openid urn:service:iam:org:id:${orgB}` };
    expect(pageOf(await visit(web1, upstream, own, { sub: 'alice-there' }, over)).status).toBe(403);
  });
});

describe('Who gets an account at all [IDP-033]', () => {
  it('not at a provider that does not register users', async () => {
    const before = await people();
    const page = pageOf(
      await visit(
        web1,
        upstream,
        closedId,
        { sub: newSubject(), email: 'x@mail.test', email_verified: true },
        ofOrgA(),
      ),
    );
    expect([page.status, page.find('h1')?.text]).toEqual([200, 'Not linked yet']);
    await web1.browser.submit(page, { decision: 'create', email: 'x@mail.test' });
    expect(await people()).toBe(before);
  });

  it('at a provider that does, also if registration by form is forbidden', async () => {
    await setPolicy(world, orgA.id, { allowRegister: false });
    await expect(newcomer({ preferred_username: 'lotte' })).resolves.toMatchObject({
      userName: 'lotte',
      orgId: orgA.id,
    });
    await setPolicy(world, orgA.id, { allowRegister: true });
  });

  it('in no organization but the one that the application asks for, or the default', async () => {
    const { id: orgB } = await world.cast.orgB;
    const own = await addOidc(world, upstream.issuer, { autoRegister: true }, orgB);
    const sub = newSubject();
    await visit(web1, upstream, own, { sub, email: 'm@mail.test' }, { scope: `openid urn:service:iam:org:id:${orgB}` });
    expect((await accountOf(sub, own))?.orgId).toBe(orgB);
  });
});
