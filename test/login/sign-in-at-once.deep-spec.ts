import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import type { SignedIn } from '../../src/login/sign-in-completion.js';
import type { AuthRequest } from '../../src/session/auth-request/auth-request.js';
import { AuthRequestService } from '../../src/session/auth-request/auth-request.service.js';
import type { Candidate } from '../../src/session/candidate.js';
import { deviceOf } from '../../src/session/device.js';
import { type SentBrowser, SessionService } from '../../src/session/session.service.js';
import { EmailCodes } from '../../src/user/factor/email-codes.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { codeIn, lastMailTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { withApp } from './factor-turns.js';
import { setEmail, setState, untilSomebodyWaits } from './turns.js';

let world: World;
let web1: RelyingParty;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});

/** A sign-in as far as the statement that begins the session and answers the request. */
interface Proved {
  readonly request: AuthRequest;
  readonly candidate: Candidate;
  readonly browser: SentBrowser;
}

async function proved(cookieValue?: string): Promise<Proved> {
  const sessions = world.get(SessionService);
  const known = await sessions.findBrowser(cookieValue);
  const added = sessions.newBrowser();
  const device = deviceOf(undefined, '127.0.0.1');
  const browser =
    known && cookieValue
      ? { id: known.id, cookieValue, device }
      : { cookieValue: added.cookieValue, id: added.browserId, device };
  const { clientId, redirectUri } = web1.client;
  const request = world.get(AuthRequestService).begin(
    {
      clientId,
      redirectUri,
      responseType: 'code',
      responseMode: 'query',
      scopes: ['openid'],
      state: undefined,
      nonce: undefined,
      codeChallenge: undefined,
      prompts: [],
      maxAgeSeconds: undefined,
      loginHint: undefined,
      uiLocales: [],
      acrValues: [],
      secondFactorRequired: false,
      claims: undefined,
      requiredOrgId: undefined,
      requiredUserId: undefined,
    },
    browser.id,
    world.clock.now(),
  );
  const candidate = await sessions.findCandidate(person.loginName, '', browser.id);
  return { request, browser, candidate: candidate! };
}

/** What the statement does, after whatever has happened since the account was read. */
async function signIn({ request, candidate, browser }: Proved): ReturnType<AuthRequestService['signInAndAnswer']> {
  const session = candidate.sessionAt(world.clock.now());
  const { userId, orgId, userEpoch } = candidate.account;
  return world.get(AuthRequestService).signInAndAnswer(request, session, browser, {
    kind: 'password',
    userId,
    orgId,
    userEpoch,
    clearedAttempts: [],
    userSequence: candidate.userSequence,
    newSessionId: candidate.isNewHere ? session.id : undefined,
  });
}

/** @throws Error if no session has begun */
function begunOf(outcome: Awaited<ReturnType<AuthRequestService['signInAndAnswer']>>): SignedIn {
  if ('refusal' in outcome) throw new Error(outcome.refusal);
  return outcome;
}

const signInsOf = ({ id }: TestPerson): Promise<object[]> =>
  world.rows("SELECT 1 FROM event WHERE type = 'session.signed_in' AND editor_id = $1", [id]);
const sessionsOf = ({ id }: TestPerson): Promise<object[]> =>
  world.rows('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', [id]);
const answersOf = ({ id }: TestPerson): Promise<object[]> =>
  world.rows('SELECT 1 FROM auth_request WHERE user_id = $1', [id]);

describe('A sign-in that answers its request in one statement', () => {
  it('begins the session and gives a code', async () => {
    const begun = begunOf(await signIn(await proved()));
    expect((await web1.redeem(begun.code!)).status).toBe(200);
    expect([(await sessionsOf(person)).length, (await answersOf(person)).length]).toEqual([1, 1]);
  });

  it('gives one code for a request, however often it runs', async () => {
    const ready = await proved();
    const begun = (await Promise.all([signIn(ready), signIn(ready), signIn(ready)])).map(begunOf);
    expect(begun.filter(({ code }) => code !== undefined)).toHaveLength(1);
    expect(begun.filter(({ isRepeated }) => isRepeated)).toHaveLength(2);
    for (const one of ['cookieValue', 'sessionId'] as const)
      expect(new Set(begun.map((each) => each[one])).size).toBe(1);
    expect([(await sessionsOf(person)).length, (await answersOf(person)).length]).toEqual([1, 1]);
    expect(await signInsOf(person)).toHaveLength(1);
  });

  it('of one user at two places at once runs once for each, also after wrong passwords: none waits in a circle', async () => {
    await world.rows('UPDATE user_account SET failed_password_checks = 3 WHERE id = $1', [person.id]);
    const ready = await Promise.all([proved(), proved()]);
    let begun: Promise<SignedIn[]> | undefined;
    const statements = await statementsDuring(async () => {
      const held = world.transaction(async (tx) => {
        // Whatever they have locked before their browsers, they keep until this is undone.
        for (const { browser } of ready) {
          await tx.entities.query('INSERT INTO browser (id, key_hash, seen_at) VALUES ($1, $2, now())', [
            browser.id,
            randomBytes(32),
          ]);
        }
        begun = Promise.all(ready.map(signIn)).then((outcomes) => outcomes.map(begunOf));
        await untilSomebodyWaits(world, '%browser AS b%', 2);
        throw new Error('undone');
      });
      await expect(held).rejects.toThrow('undone');
      expect((await begun!).map(({ code }) => typeof code)).toEqual(['string', 'string']);
    });
    expect(statements.filter((text) => text.startsWith('auth_request.sign_in_and_add:'))).toHaveLength(2);
    const counted = await world.rows('SELECT failed_password_checks FROM user_account WHERE id = $1', [person.id]);
    expect(counted).toEqual([{ failed_password_checks: 0 }]);
  });

  it.each(['locked', 'inactive'] as const)('does nothing if the account has become %s meanwhile', async (state) => {
    const ready = await proved();
    await setState(world, person, state);
    expect(await signIn(ready)).toEqual({ refusal: 'account_changed' });
    expect([await sessionsOf(person), await answersOf(person)]).toEqual([[], []]);
  });

  it('does nothing if the account was locked by wrong passwords meanwhile, which leaves its epoch as it is', async () => {
    const ready = await proved();
    await world.rows("UPDATE user_account SET state = 'locked' WHERE id = $1", [person.id]);
    expect(await signIn(ready)).toEqual({ refusal: 'account_changed' });
    expect([await sessionsOf(person), await answersOf(person)]).toEqual([[], []]);
  });

  it('does nothing if the password was changed meanwhile', async () => {
    const ready = await proved();
    const hash = await world.get(PasswordHash).hash(new Secret('Another-Horse-8'));
    await world.transaction((tx) =>
      world.get(UserService).setPassword(tx, person.id, hash, { changeRequired: false }, EDITOR),
    );
    expect(await signIn(ready)).toEqual({ refusal: 'account_changed' });
    expect([await sessionsOf(person), await answersOf(person)]).toEqual([[], []]);
  });

  it('does nothing if another user has signed in with the same cookie value [LOG-004]', async () => {
    const ready = await proved();
    const faster = await world.add.person({ orgId: person.orgId });
    const browser = { browser: ready.browser, request: ready.request };
    const candidate = await world.get(SessionService).findCandidate(faster.loginName, '', ready.browser.id);
    expect(begunOf(await signIn({ ...browser, candidate: candidate! })).code).toBeDefined();
    expect(await signIn(ready)).toEqual({ refusal: 'browser_replaced' });
    expect([await sessionsOf(person), await answersOf(person)]).toEqual([[], []]);
  });

  const changes: Array<[string, () => Promise<unknown>]> = [
    [
      'must change the password',
      () =>
        world.transaction((tx) =>
          world.get(UserService).change(tx, person.id, { passwordChangeRequired: true }, 'user.human.changed', EDITOR),
        ),
    ],
    ['has an authenticator app', () => withApp(world, person)],
    ['has another e-mail address', () => setEmail(world, person, 'another@mail.test')],
  ];

  it.each(changes)('leaves the answer to the next look if the user meanwhile %s', async (_, change) => {
    const ready = await proved();
    await change();
    const begun = begunOf(await signIn(ready));
    expect([begun.cookieValue === undefined, begun.code]).toEqual([false, undefined]);
    expect([(await sessionsOf(person)).length, await answersOf(person)]).toEqual([1, []]);
  });

  it('leaves it as well if the user has meanwhile finished setting up codes by e-mail', async () => {
    const codes = world.get(EmailCodes);
    const owner = { userId: person.id, orgId: person.orgId };
    await world.transaction(async (tx) => {
      await codes.begin(tx, owner, 'another session');
      await codes.send(tx, owner, 'another session');
    });
    const typed = codeIn(world, await lastMailTo(world, await codes.addressOf(owner)));
    const ready = await proved();
    const tried = await codes.tryCode(owner, 'another session', typed);
    expect(await world.transaction((tx) => codes.spend(tx, tried!))).toBe(true);
    expect([begunOf(await signIn(ready)).code, await answersOf(person)]).toEqual([undefined, []]);
  });

  it('leaves it as well if the session that was renewed has ended meanwhile: its factors do not count', async () => {
    await web1.signIn(person);
    const before = (await answersOf(person)).length;
    const ready = await proved(web1.browser.cookies.get('gatehouse'));
    expect(ready.candidate.isNewHere).toBe(false);
    await world.rows('UPDATE session SET ended_at = $1 WHERE user_id = $2', [world.clock.now(), person.id]);
    const begun = begunOf(await signIn(ready));
    expect([begun.cookieValue === undefined, begun.code]).toEqual([false, undefined]);
    expect([(await sessionsOf(person)).length, (await answersOf(person)).length]).toEqual([1, before]);
  });

  it('starts the count of wrong passwords in a row again', async () => {
    await world.rows('UPDATE user_account SET failed_password_checks = 3 WHERE id = $1', [person.id]);
    expect(begunOf(await signIn(await proved())).code).toBeDefined();
    const [row] = await world.rows<{ failures: number }>(
      'SELECT failed_password_checks AS failures FROM user_account WHERE id = $1',
      [person.id],
    );
    expect(row).toEqual({ failures: 0 });
  });
});
