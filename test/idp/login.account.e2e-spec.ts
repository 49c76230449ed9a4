import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { pageOf } from '../login/turns.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, link, linksOf, OUTBOUND, visit } from './external.js';
import { Newcomers } from './newcomers.js';

let world: World;
let upstream: Upstream;
let alice: TestPerson;
let orgA: TestOrg;
let web1: RelyingParty;
/** Registers people. */
let openId: string;
/** Does not. */
let closedId: string;
let newcomers: Newcomers;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  orgA = await world.cast.orgA;
  alice = await world.cast.alice;
  openId = await addOidc(world, upstream.issuer, { autoRegister: true, name: 'Open accounts' });
  closedId = await addOidc(world, upstream.issuer, { name: 'Closed accounts' });
  newcomers = new Newcomers(world, upstream, orgA, openId);
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

describe('What is stored of a provider', () => {
  it('calls people by the field that the mapping names', async () => {
    const byEmail = await addOidc(world, upstream.issuer, {
      autoRegister: true,
      usernameMapping: 'email',
      displayNameMapping: 'email',
    });
    const sub = newcomers.newSubject();
    const account = await newcomers.visit(
      web1,
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
      await newcomers.visit(web1, { preferred_username: 'hanna', email: 'hanna@mail.test', name: 'Hanna H.' }, byName),
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
    const account = await newcomers.visit(web1, {
      preferred_username: 'victim',
      email: 'victim@mail.test',
      email_verified: true,
    });
    expect(account.id).not.toBe(attacker.id);
    // The attacker's password opens the attacker's account, and no other.
    const rp = web1.elsewhere();
    const confirm = pageOf(await rp.enter(await rp.authorize(), attacker));
    expect(confirm.text).toContain('victim@mail.test'); // which the attacker cannot read
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1', [account.id])).toHaveLength(1);
  });

  it('is asked of a user whose verified address somebody has here, and only the password links the two [IDP-045]', async () => {
    const owner = await world.add.person({ orgId: orgA.id, email: 'shared@mail.test' });
    const sub = newcomers.newSubject();
    const claims = { sub, email: owner.email, email_verified: true };
    const page = pageOf(await visit(web1, upstream, openId, claims, newcomers.ofOrg()));
    expect([page.title, await newcomers.accountOf(sub)]).toEqual([
      expect.stringContaining('Not linked yet'),
      undefined,
    ]);
    const link = pageOf(
      await web1.enter(await web1.browser.submit(page, { decision: 'link' }), { ...owner, loginName: owner.email }),
    );
    web1.toAnswer(await web1.browser.submit(link, { decision: 'link' }));
    expect((await newcomers.accountOf(sub))?.id).toBe(owner.id);
    const unverified = await newcomers.visit(web1, { email: owner.email, email_verified: false });
    expect(unverified.id).not.toBe(owner.id);
  });

  it.each([false, undefined, 'false', 1])(
    'an address is not verified by email_verified: %j, and a code goes to it first [IDP-028]',
    async (email_verified) => {
      const account = await newcomers.visit(web1, { email: 'alice@mail.test', email_verified });
      expect(account).toMatchObject({ emailVerified: false });
      expect(account.id).not.toBe(alice.id);
      expect(await newcomers.codesOf(account.id)).toEqual([{ kind: 'email' }]);
    },
  );

  it('is decided by the provider and its very own name of the person [IDP-029]', async () => {
    const sub = newcomers.newSubject();
    const first = await newcomers.visit(web1, { sub, email: 'ida@mail.test' });
    const otherId = await addOidc(world, upstream.issuer, { autoRegister: true });
    const others = [
      await newcomers.visit(web1, { sub, email: 'ida@mail.test' }, otherId), // the same at another provider
      await newcomers.visit(web1, { email: 'ida@mail.test' }), // another with the same address
    ];
    for (const alike of [sub.toUpperCase(), `${sub} `, ` ${sub}`, `${sub}\u00a0`, sub.replace('s', '\u0455')])
      others.push(await newcomers.visit(web1, { sub: alike, email: 'ida@mail.test' }));
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(others.length + 1);
  });

  it('does not change with an address or a name there, even if it is that of another user [IDP-030]', async () => {
    const bob = await world.cast.bob;
    const sub = newcomers.newSubject();
    const before = await newcomers.visit(web1, { sub, preferred_username: 'jana', email: 'jana@mail.test' });
    const rp = web1.elsewhere();
    const answer = rp.toAnswer(
      await visit(
        rp,
        upstream,
        openId,
        { sub, preferred_username: bob.userName, email: bob.email, email_verified: true },
        newcomers.ofOrg(),
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
    const { userName, id, orgId } = await newcomers.visit(web1, { preferred_username, email_verified: false });
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
    const { userName, email } = await newcomers.visit(web1, { preferred_username });
    expect(userName).toBe(email);
  });

  it('is nothing at the domain of another organization', async () => {
    await world.cast.orgB;
    const bySub = newcomers.newSubject();
    const { userName, orgId } = await newcomers.visit(web1, {
      sub: bySub,
      preferred_username: 'bob@orgb.test',
      email_verified: true,
    });
    expect([userName.includes('orgb'), orgId]).toEqual([false, orgA.id]);
  });

  it('has something random behind it when all that is near is taken', async () => {
    for (const userName of ['kim', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `kim-${number}`)])
      await world.add.person({ orgId: orgA.id, userName });
    const { userName } = await newcomers.visit(web1, {
      preferred_username: 'kim',
      email: 'kim@mail.test',
      email_verified: false,
    });
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
    expect(pageOf(await visit(web1, upstream, closedId, { sub: 'carol-there' }, newcomers.ofOrg())).status).toBe(403);
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
