import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, exportSPKI, importJWK, SignJWT } from 'jose';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { UserService } from '../../src/user/user.service.js';
import { requestIdOf } from '../login/turns.js';
import { EDITOR, makeKey, PASSWORD } from '../support/builders.js';
import { codeIn, lastMailTo } from '../support/mails.js';
import { publishedKeys, RelyingParty } from '../support/relying-party.js';
import { expectAuthorizeRefusal, expectEscaped, expectRefusal, XSS } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterAll(() => world.close());

/** A browser in which these people are signed in. */
async function signedIn(...names: ReadonlyArray<'alice' | 'bob'>): Promise<RelyingParty> {
  const rp = web1.elsewhere();
  for (const name of names) await rp.signIn(await world.cast[name], { prompt: 'login', login_hint: name });
  return rp;
}

describe('prompt=none (OIDC Core §3.1.2.6) never shows a page', () => {
  it('and answers login_required if no user is signed in, without a new session [AUT-043]', async () => {
    const rp = web1.elsewhere();
    const before = await world.contents();
    await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'login_required');
    expect(rp.browser.cookies.size).toBe(0);
    expect(await world.contents()).toBe(before);
  });

  it('and answers interaction_required if the user has more to do [AUT-043]', async () => {
    const rp = web1.elsewhere();
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    await rp.signIn(person);
    await world.transaction((tx) =>
      world.get(UserService).change(tx, person.id, { passwordChangeRequired: true }, 'test', EDITOR),
    );
    await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'interaction_required');
  });

  it('and answers interaction_required if two users are signed in and none is hinted [AUT-043]', async () => {
    const rp = await signedIn('alice', 'bob');
    await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'interaction_required');
    const answer = await rp.signIn(await world.cast.alice, { prompt: 'none', login_hint: 'alice@orga.test' });
    expect(decodeJwt((await rp.redeem(answer['code']!)).json<{ id_token: string }>().id_token).sub).toBe(
      (await world.cast.alice).id,
    );
  });

  it('and answers with a code if one user is signed in', async () => {
    const rp = await signedIn('alice');
    const answer = await rp.authorize({ prompt: 'none' });
    expect(answer.redirect).toMatch(/code=/);
  });

  it.each(['none login', 'none none', 'login none select_account', 'none foo'])(
    'and stands alone: %s [AUT-044]',
    async (prompt) => {
      await expectAuthorizeRefusal(await signedIn('alice'), { prompt }, 'invalid_request');
    },
  );
});

describe('prompt', () => {
  it('of an unknown value is ignored, and skips no password [AUT-045]', async () => {
    const { page } = await web1.elsewhere().authorize({ prompt: 'foo' });
    expect(page?.find('input[name="loginName"]')).not.toBeNull();
    expect((await (await signedIn('alice')).authorize({ prompt: 'foo' })).redirect).toMatch(/code=/);
  });

  it('login asks for the password although a user is signed in, and renews auth_time and cookie [AUT-046]', async () => {
    const alice = await world.cast.alice;
    const rp = await signedIn('alice');
    const cookie = [...rp.browser.cookies.values()].join();
    world.clock.advance('10s');
    const requestedAt = world.now();
    const arrival = await rp.authorize({ prompt: 'login' });
    expect(arrival.page?.find('input[name="password"]')).not.toBeNull();
    world.clock.advance('5s');
    const { code } = rp.toAnswer(await rp.enter(arrival, alice));
    const payload = await rp.verify((await rp.redeem(code!)).json<{ id_token: string }>().id_token);
    expect(payload['auth_time']).toBeGreaterThan(requestedAt);
    expect([...rp.browser.cookies.values()].join()).not.toBe(cookie);
  });

  it('login is not satisfied by a request without it that was finished in between [AUT-047]', async () => {
    const rp = await signedIn('alice');
    world.clock.advance('1s');
    const first = await rp.authorize({ prompt: 'login' });
    const id = requestIdOf(first.page!);
    expect((await rp.authorize({ state: 'second' })).redirect).toMatch(/code=/);
    const callback = await rp.browser.get(`/oauth/v2/authorize/callback?id=${id}`);
    expect(callback.redirect).toBeUndefined();
    expect(callback.page?.find('input[name="password"]')).not.toBeNull();
    world.clock.advance('1s');
    expect((await rp.enter(callback, await world.cast.alice)).redirect).toMatch(/code=/);
  });

  it('select_account lets choose among the accounts of this browser, or another one', async () => {
    const [alice, bob] = [await world.cast.alice, await world.cast.bob];
    const rp = await signedIn('alice', 'bob');
    const { page } = await rp.authorize({ prompt: 'select_account' });
    expect(
      page!
        .all('button[name="userID"]')
        .map((button) => button.getAttribute('value'))
        .sort(),
    ).toEqual([alice.id, bob.id].sort());
    const chosen = rp.toAnswer(await rp.browser.submit(page!, { userID: bob.id }));
    expect((await rp.verify((await rp.redeem(chosen['code']!)).json<{ id_token: string }>().id_token)).sub).toBe(
      bob.id,
    );
    expect(page!.ways.map(({ to }) => to)).toContain('/ui/login/loginname');
  });

  it('create shows the registration, and signs in the registered user', async () => {
    const rp = web1.elsewhere();
    const { page } = await rp.authorize({ prompt: 'create' });
    const done = await rp.browser.submit(page!, {
      email: 'new@mail.test',
      firstName: 'New',
      lastName: 'Person',
      userName: 'new-person',
      password: PASSWORD,
      passwordRepeat: PASSWORD,
    });
    // The address is proven before the application learns of it.
    const proven = await rp.browser.submit(done.page!, {
      code: codeIn(world, await lastMailTo(world, 'new@mail.test')),
    });
    const tokens = (await rp.redeem(rp.toAnswer(proven)['code']!)).json<{ access_token: string }>();
    expect(tokens.access_token).toBeDefined();
  });

  it('create without permission to register shows no form, and its form is refused [AUT-048]', async () => {
    const rp = web1.elsewhere();
    const open = await rp.authorize({ prompt: 'create' });
    const { defaultOrgId } = await world.get(InstanceService).get();
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', defaultOrgId, { allowRegister: false }, EDITOR),
    );
    const { page } = await rp.authorize({ prompt: 'create' });
    expect([page!.status, page!.all('main form')]).toEqual([403, []]);
    const before = await world.rows('SELECT id FROM user_account');
    const posted = await rp.browser.submitOnce(open.page!, {
      email: 'late@mail.test',
      firstName: 'Late',
      lastName: 'Person',
      userName: 'late',
      password: PASSWORD,
      passwordRepeat: PASSWORD,
    });
    expect([403, 404]).toContain(posted.status);
    expect(await world.rows('SELECT id FROM user_account')).toEqual(before);
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', defaultOrgId, { allowRegister: true }, EDITOR),
    );
  });

  it('consent shows a confirmation only where the application asks for one, and never fails', async () => {
    const alice = await world.cast.alice;
    expect((await (await signedIn('alice')).authorize({ prompt: 'consent' })).redirect).toMatch(/code=/);
    const rp = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, consentPage: true }),
    );
    await rp.signIn(alice);
    const { page } = await rp.authorize({ prompt: 'consent' });
    expect((await rp.browser.submit(page!, { decision: 'continue' })).redirect).toMatch(/code=/);
    const again = await rp.authorize({ prompt: 'consent' });
    expectRefusal(rp, await rp.browser.submit(again.page!, { decision: 'cancel' }), 'access_denied');
  });
});

describe('max_age', () => {
  it('of 0 asks for the password, of 1 when the last one is older; auth_time shows it [AUT-049]', async () => {
    const alice = await world.cast.alice;
    const rp = await signedIn('alice');
    world.clock.advance('2s');
    await expectAuthorizeRefusal(rp, { max_age: '0', prompt: 'none' }, 'login_required');
    await expectAuthorizeRefusal(rp, { max_age: '1', prompt: 'none' }, 'login_required');
    for (const maxAge of ['0', '1']) {
      const asked = await rp.authorize({ max_age: maxAge });
      expect(asked.page?.find('input[name="password"]')).not.toBeNull();
      const { code } = rp.toAnswer(await rp.enter(asked, alice));
      const payload = await rp.verify((await rp.redeem(code!)).json<{ id_token: string }>().id_token);
      expect(payload['auth_time']).toBe(world.now());
      world.clock.advance('2s');
    }
    expect((await rp.authorize({ max_age: '100', prompt: 'none' })).redirect).toMatch(/code=/);
  });

  it.each(['-1', 'abc', '1.5', '1e309', '9007199254740993', '٣', ' 1', '1 ', '0x1', '+1'])(
    'that is not a number of seconds is refused: %s [AUT-050]',
    async (maxAge) => {
      await expectAuthorizeRefusal(web1, { max_age: maxAge }, 'invalid_request');
    },
  );
});

describe('id_token_hint', () => {
  it('that was not signed by us counts as absent, and never continues a session [AUT-051]', async () => {
    const alice = await world.cast.alice;
    const web3 = new RelyingParty(world, await world.cast.web3);
    const genuine = (await web1.tokens(alice)).id_token;
    const claims = decodeJwt(genuine);
    const [jwk] = (await publishedKeys(world)).keys;
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const publicPem = await exportSPKI((await importJWK(jwk!, 'RS256')) as Parameters<typeof exportSPKI>[0]);
    const stranger = await makeKey();
    const forged = {
      'alg none': `${encoded({ alg: 'none', typ: 'JWT', kid: jwk!.kid })}.${encoded(claims)}.`,
      'HS256 with our public key': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: jwk!.kid! })
        .sign(Buffer.from(publicPem)),
      "a stranger's key": await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: jwk!.kid! })
        .sign(stranger.privateKey),
      'an access token': (await new RelyingParty(world, await world.cast.web4).tokens(alice)).access_token,
      random: 'x.y.z',
      '20 kB': `${'a'.repeat(7000)}.b.c`,
      altered: genuine.slice(0, -2),
    };
    for (const hint of Object.values(forged)) {
      await expectAuthorizeRefusal(web1.elsewhere(), { prompt: 'none', id_token_hint: hint }, 'login_required');
      // Absent: the response is for the signed-in user.
      expect((await (await signedIn('bob')).authorize({ prompt: 'none', id_token_hint: hint })).redirect).toMatch(
        /code=/,
      );
    }
    // Of another client of ours it names a person, and opens nothing either.
    await expectAuthorizeRefusal(
      web1.elsewhere(),
      { prompt: 'none', id_token_hint: (await web3.tokens(alice)).id_token },
      'login_required',
    );
  });

  it('that has expired is still a hint [AUT-051]', async () => {
    const rp = web1.elsewhere();
    const { id_token: idToken } = await rp.tokens(await world.cast.alice);
    world.clock.advance('13h');
    expect((await rp.authorize({ prompt: 'none', id_token_hint: idToken })).redirect).toMatch(/code=/);
    await expectAuthorizeRefusal(await signedIn('bob'), { prompt: 'none', id_token_hint: idToken }, 'login_required');
  });

  it('for a user other than the one who is signed in gets no code for the latter [AUT-052]', async () => {
    const bobsToken = (await web1.elsewhere().tokens(await world.cast.bob)).id_token;
    const rp = await signedIn('alice');
    await expectAuthorizeRefusal(rp, { prompt: 'none', id_token_hint: bobsToken }, 'login_required');
    // And with pages, the wrong person cannot finish.
    const entered = await rp.enter(await rp.authorize({ id_token_hint: bobsToken }), await world.cast.alice);
    expectRefusal(rp, entered, 'login_required');
  });

  it('chooses among several who are signed in', async () => {
    const rp = await signedIn('alice', 'bob');
    const bobsToken = (await web1.elsewhere().tokens(await world.cast.bob)).id_token;
    expect((await rp.authorize({ prompt: 'none', id_token_hint: bobsToken })).redirect).toMatch(/code=/);
  });

  it('of a user whose session was ended elsewhere gives no access', async () => {
    const rp = await signedIn('alice');
    const { id_token: idToken } = await rp.tokens(await world.cast.alice);
    await world.transaction((tx) => world.get(SessionService).end(tx, [decodeJwt(idToken)['sid'] as string]));
    await expectAuthorizeRefusal(rp, { prompt: 'none', id_token_hint: idToken }, 'login_required');
  });
});

describe('login_hint', () => {
  it.each(XSS)('is filled in escaped: %p [AUT-053]', async (hint) => {
    const { page } = await web1.elsewhere().authorize({ login_hint: hint });
    expectEscaped(page!.reply, hint);
  });

  it('shows the same page for a person who exists, one who does not, and one of another organization [AUT-053]', async () => {
    await Promise.all([world.cast.alice, world.cast.carol]);
    // A domain is public: it chooses the colours and words of its organization. Who has a name at it is not.
    for (const hints of [
      ['alice@orga.test', 'nobody@orga.test', 'carol@orga.test'],
      ['carol@orgb.test', 'nobody@orgb.test'],
    ]) {
      const shown = await Promise.all(
        hints.map(async (hint) => {
          const { page } = await web1.elsewhere().authorize({ login_hint: hint });
          const text = page!.reply.text.replaceAll('<wbr/>', '');
          return text.replaceAll(hint, 'HINT').replace(/value="[\w-]{16,}"|authRequestID=\d+/g, '');
        }),
      );
      expect(new Set(shown).size).toBe(1);
      expect(shown[0]).toContain('HINT');
    }
  });

  it('that is too long is left out', async () => {
    const { page } = await web1.elsewhere().authorize({ login_hint: 'a'.repeat(5000) });
    expect(page!.status).toBe(200);
    expect(page!.reply.text).not.toContain('a'.repeat(1000));
  });
});

describe('The lifetime of a sign-in', () => {
  it('is that of the login policy; then the password is asked for again', async () => {
    const rp = await signedIn('alice');
    world.clock.advance('239h');
    expect((await rp.authorize({ prompt: 'none' })).redirect).toMatch(/code=/);
    world.clock.advance('2h');
    await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'login_required');
    expect((await rp.authorize()).page?.find('input[name="password"]')).not.toBeNull();
  });
});

it('a forced change of password comes before the response', async () => {
  const rp = web1.elsewhere();
  const person = await world.add.person({ orgId: (await world.cast.orgA).id, passwordChangeRequired: true });
  const { page } = await rp.enter(await rp.authorize(), person);
  expect(page?.find('input[name="newPassword"]')).not.toBeNull();
  await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'interaction_required');
  const changed = await rp.browser.submit(page!, {
    oldPassword: person.password,
    newPassword: 'Another-Horse-8',
    newPasswordRepeat: 'Another-Horse-8',
  });
  expect((await rp.redeem(rp.toAnswer(changed)['code']!)).status).toBe(200);
});
