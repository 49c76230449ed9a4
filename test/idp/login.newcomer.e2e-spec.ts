import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorsOf, pageOf } from '../login/turns.js';
import type { TestOrg } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { CLIENT_ID, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBackOnce, leave, linksOf, OUTBOUND, setPolicy, visit } from './external.js';
import { Newcomers } from './newcomers.js';

let world: World;
let upstream: Upstream;
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

describe('An unknown user of a provider that registers users', () => {
  it('gets an account from the claims, in the organization that the application requests, and is signed in', async () => {
    const sub = newcomers.newSubject();
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
      newcomers.ofOrg(),
    );
    expect(web1.toAnswer(arrival).code).toBeDefined();
    const account = await newcomers.accountOf(sub);
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
    expect(await newcomers.codesOf(account!.id)).toEqual([]); // nothing is missing, so nothing is sent
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
    const sub = newcomers.newSubject();
    await visit(web1, upstream, openId, { sub, email: `${sub}@mail.test` });
    const [instance] = await world.rows<{ id: string }>('SELECT default_org_id AS id FROM instance');
    expect((await newcomers.accountOf(sub))?.orgId).toBe(instance!.id);
  });

  it('is described by the UserInfo endpoint if the token has few claims', async () => {
    const sub = newcomers.newSubject();
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
    await visit(web1, upstream, openId, { sub }, newcomers.ofOrg());
    expect(await newcomers.accountOf(sub)).toMatchObject({
      userName: 'ulla',
      firstName: 'Ulla',
      email: 'ulla@mail.test',
      emailVerified: true,
    });
  });

  it('is not described by a UserInfo response about another user (OIDC Core §5.3.2)', async () => {
    const sub = newcomers.newSubject();
    upstream.lies = { userInfo: { sub: 'somebody else', email: 'ulla@mail.test' } };
    expect(pageOf(await visit(web1, upstream, openId, { sub }, newcomers.ofOrg())).status).toBe(400);
    expect(await newcomers.accountOf(sub)).toBeUndefined();
  });

  it('is described by a UserInfo response that is a JWT, if the provider has signed it for us (OIDC Core §5.3.2)', async () => {
    const other = await startUpstream(world);
    const { kid } = upstream.keys[0]!;
    const iss = upstream.issuer;
    const firstNameOf = async (sign: (sub: string) => Promise<string>): Promise<string | undefined> => {
      const sub = newcomers.newSubject();
      const text = await sign(sub);
      upstream.lies = {
        answer: { '/userinfo': (_, response) => response.setHeader('Content-Type', 'application/jwt').end(text) },
      };
      await visit(
        web1.elsewhere(),
        upstream,
        openId,
        { sub, email: `${sub}@mail.test`, email_verified: true },
        newcomers.ofOrg(),
      );
      return (await newcomers.accountOf(sub))?.firstName;
    };
    expect(await firstNameOf((sub) => upstream.sign({ sub, given_name: 'Ulla' }))).toBe('Ulla');
    expect(await firstNameOf((sub) => upstream.sign({ sub, iss, aud: [CLIENT_ID], given_name: 'Ulla' }))).toBe('Ulla');
    for (const refused of [
      (sub: string) => upstream.sign({ sub, given_name: 'Ulla' }, { kid }, other.keys[0]),
      (sub: string) => upstream.sign({ sub, iss: other.issuer, given_name: 'Ulla' }),
      (sub: string) => upstream.sign({ sub, aud: 'other', given_name: 'Ulla' }),
    ])
      expect(await firstNameOf(refused)).not.toBe('Ulla');
    await other.close();
  });

  it('has the names that are known, in default of others', async () => {
    expect(await newcomers.visit(web1, { name: 'Maria von der Heide' })).toMatchObject({
      firstName: 'Maria von der',
      lastName: 'Heide',
    });
    expect(await newcomers.visit(web1, { email: 'solo@mail.test' })).toMatchObject({
      userName: 'solo@mail.test',
      firstName: 'solo@mail.test',
      lastName: 'solo@mail.test',
    });
  });

  it('is asked for an address if the provider sends none, and verifies it later', async () => {
    const sub = newcomers.newSubject();
    const page = pageOf(await visit(web1, upstream, openId, { sub, preferred_username: 'noemi' }, newcomers.ofOrg()));
    expect([page.status, page.find('h1')?.text]).toEqual([200, 'Not linked yet']);
    for (const email of ['', 'no address', 'noemi@orgb.test']) {
      await world.cast.orgB;
      const again = pageOf(await web1.browser.submit(page, { email, decision: 'create' }));
      expect([again.status, again.find('input[name="email"]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    }
    expect(await newcomers.accountOf(sub)).toBeUndefined();
    await web1.browser.submit(page, { email: 'noemi@mail.test', decision: 'create' });
    const account = await newcomers.accountOf(sub);
    expect(account).toMatchObject({
      userName: 'noemi',
      email: 'noemi@mail.test',
      emailVerified: false,
      state: 'active',
    });
    expect(await newcomers.codesOf(account!.id)).toEqual([{ kind: 'email' }]);
  });

  it('has proved who they are when they came back, and not when the account is made [ACC-018]', async () => {
    for (const demand of [{}, { max_age: 600 }]) {
      const sub = newcomers.newSubject();
      const party = web1.elsewhere();
      const page = pageOf(await visit(party, upstream, openId, { sub }, { ...newcomers.ofOrg(), ...demand }));
      const cameAt = world.clock.now();
      world.clock.advance('1m');
      await party.browser.submit(page, { email: `${sub}@mail.test`, decision: 'create' });
      const sessions = await world.rows(
        'SELECT external_checked_at AS "checkedAt", external_proved_at AS "provedAt" FROM session WHERE user_id = $1',
        [(await newcomers.accountOf(sub))!.id],
      );
      expect(sessions).toEqual([{ checkedAt: world.clock.now(), provedAt: 'max_age' in demand ? cameAt : null }]);
    }
  });

  it('gets one account, however often they come at once', async () => {
    const sub = newcomers.newSubject();
    const parties = await Promise.all(Array.from({ length: 6 }, async () => web1.elsewhere()));
    const answers = await Promise.all(
      parties.map(async (rp) => ({
        rp,
        answer: upstream.answerTo(await leave(rp, openId, newcomers.ofOrg()), {
          sub,
          email: 'once@mail.test',
          email_verified: true,
          preferred_username: 'once',
        }),
      })),
    );
    const before = await newcomers.accounts();
    const replies = await Promise.all(answers.map(({ rp, answer }) => comeBackOnce(rp.browser, answer)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(302));
    expect(await newcomers.accounts()).toBe(before + 1);
  });

  it('does not get an address at a domain that another organization owns, regardless of the claims [LOG-047]', async () => {
    const { domain } = await world.cast.orgB;
    for (const [email_verified, email] of [
      [true, `eve@${domain}`],
      [false, `eve@${domain.toUpperCase()}`],
    ]) {
      const sub = newcomers.newSubject();
      const client = web1.elsewhere();
      const page = pageOf(
        await visit(
          client,
          upstream,
          openId,
          { sub, preferred_username: 'eve', email, email_verified },
          newcomers.ofOrg(),
        ),
      );
      expect([page.heading, errorsOf(page), page.forms[0]!.fields['email']]).toEqual([
        'Error: Not linked yet',
        ['This e-mail address cannot be used to register here. Ask your administrator for an account.'],
        email,
      ]);
      expect(pageOf(await client.browser.submit(page, { decision: 'create' })).status).toBe(400);
      expect(await newcomers.accountOf(sub)).toBeUndefined();
      await client.browser.submit(page, { email: `${sub}@mail.test`, decision: 'create' });
      expect(await newcomers.accountOf(sub)).toMatchObject({ email: `${sub}@mail.test`, emailVerified: false });
    }
  });

  it('is known the next time, and stays as they are here', async () => {
    const sub = newcomers.newSubject();
    const account = await newcomers.visit(web1, { sub, preferred_username: 'frida', given_name: 'Frida' });
    await newcomers.visit(web1, { sub, preferred_username: 'other', given_name: 'Other', email: 'other@mail.test' });
    expect(await newcomers.accountOf(sub)).toEqual(account);
  });
});

describe('Who gets an account at all [IDP-033]', () => {
  it('not at a provider that does not register users', async () => {
    const before = await newcomers.accounts();
    const page = pageOf(
      await visit(
        web1,
        upstream,
        closedId,
        { sub: newcomers.newSubject(), email: 'x@mail.test', email_verified: true },
        newcomers.ofOrg(),
      ),
    );
    expect([page.status, page.find('h1')?.text]).toEqual([200, 'Not linked yet']);
    await web1.browser.submit(page, { decision: 'create', email: 'x@mail.test' });
    expect(await newcomers.accounts()).toBe(before);
  });

  it('at a provider that does, also if registration by form is forbidden', async () => {
    await setPolicy(world, orgA.id, { allowRegister: false });
    await expect(newcomers.visit(web1, { preferred_username: 'lotte' })).resolves.toMatchObject({
      userName: 'lotte',
      orgId: orgA.id,
    });
    await setPolicy(world, orgA.id, { allowRegister: true });
  });

  it('in no organization but the one that the application asks for, or the default', async () => {
    const { id: orgB } = await world.cast.orgB;
    const own = await addOidc(world, upstream.issuer, { autoRegister: true }, orgB);
    const sub = newcomers.newSubject();
    await visit(web1, upstream, own, { sub, email: 'm@mail.test' }, { scope: `openid urn:service:iam:org:id:${orgB}` });
    expect((await newcomers.accountOf(sub, own))?.orgId).toBe(orgB);
  });
});
