import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoginPolicy } from '../../../src/org/policy/login-policy.entity.js';
import { OtherStep, other } from '../../extension/login-steps.js';
import { type App, setPolicy, withApp } from '../../login/factor-turns.js';
import type { AdminApi, Json } from '../../support/admin-api.js';
import { PASSWORD, type TestClient, type TestPerson } from '../../support/builders.js';
import type { Parameters } from '../../support/http.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startWorld, type World } from '../../support/world.js';
import { ilseOf, managerNamed, stepDecides, stepsOf, WhyStage } from './why-stage.js';

let world: World;
let stage: WhyStage;
let ada: AdminApi;

beforeAll(async () => {
  world = await startWorld({ extensions: [other] });
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
});
beforeEach(() => {
  world.clock.advance('20m');
});
afterEach(() => {
  OtherStep.does = {};
});
afterAll(() => world.close());

/** A situation: what is prepared, what is asked, and how the application asks in reality. */
interface Situation {
  readonly policy?: Partial<LoginPolicy>;
  readonly prepare?: (person: TestPerson, client: TestClient) => Promise<unknown>;
  readonly hasApp?: boolean;
  readonly asked?: Json;
  readonly over?: Parameters;
}

const SITUATIONS: ReadonlyArray<readonly [name: string, situation: Situation, steps: readonly string[]]> = [
  ['nothing special', {}, ['login-name', 'password']],
  ['prompt=login', { asked: { prompts: ['login'] }, over: { prompt: 'login' } }, ['login-name', 'password']],
  ['max_age', { asked: { maxAge: '60s' }, over: { max_age: '60' } }, ['login-name', 'password']],
  ['an authenticator app', { hasApp: true }, ['login-name', 'password', 'totp']],
  [
    'two factors forced, and none set up',
    { policy: { forceMfa: true } },
    ['login-name', 'password', 'offer-factor', 'set-up-totp', 'recovery-codes'],
  ],
  [
    'two factors forced, by an app alone',
    { policy: { forceMfa: true, secondFactors: ['otp'], multiFactors: [] } },
    ['login-name', 'password', 'offer-factor', 'set-up-totp', 'recovery-codes'],
  ],
  [
    'a second factor is offered after some time',
    { policy: { mfaInitSkipLifetimeSeconds: 60 }, prepare: async () => world.clock.advance('5m') },
    ['login-name', 'password', 'offer-factor'],
  ],
  [
    'the application would like two factors',
    { asked: { acrValues: ['2'] }, over: { acr_values: '2' } },
    ['login-name', 'password', 'offer-factor'],
  ],
  [
    'an address that is not verified, and a password that was given',
    {
      prepare: async ({ id }) => {
        await world.add.newPassword(id, PASSWORD, { changeRequired: true });
        await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [id]);
      },
    },
    ['login-name', 'password', 'verify-email', 'change-password'],
  ],
  [
    'two factors forced, an address that is not verified',
    {
      policy: { forceMfa: true },
      prepare: ({ id }) => world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [id]),
    },
    ['login-name', 'password', 'verify-email', 'offer-factor', 'set-up-totp', 'recovery-codes'],
  ],
  [
    'consent, after the step of an extension',
    {
      prepare: async (person, { id }) => {
        let isTaken = false;
        OtherStep.does = {
          isDue: (turn: { userId: string }) => turn.userId === person.id && !isTaken,
          submit: () => {
            isTaken = true;
            return { kind: 'done' };
          },
        };
        await world.rows('UPDATE client SET consent_page = true WHERE id = $1', [id]);
      },
    },
    ['login-name', 'password', 'ext/other/other', 'consent'],
  ],
  [
    'a second factor that an extension demands, which the user has',
    {
      hasApp: true,
      prepare: async (person) => stepDecides(person, 'second-factor'),
    },
    ['login-name', 'password', 'totp'],
  ],
];

describe('The steps that an explanation names', () => {
  it.each(SITUATIONS)('are the pages that a real sign-in shows: %s', async (_, situation, steps) => {
    const { id: orgId } = await world.add.org();
    const person = await ilseOf(world, orgId);
    const client = await world.add.client({ projectId: await world.add.project({ orgId }) });
    if (situation.policy) await setPolicy(world, orgId, situation.policy);
    const app: App | undefined = situation.hasApp ? await withApp(world, person) : undefined;
    await situation.prepare?.(person, client);
    await world.changesToArrive();
    const explained = await stage.explain(person, { application: client.clientId, ...situation.asked });
    const walked = await stage.walk(new RelyingParty(world, client), person, {
      over: situation.over ?? {},
      ...(app ? { app } : {}),
    });
    expect([stepsOf(explained), walked.steps]).toEqual([steps, steps]);
    expect([explained.canSignIn === 'CAN_SIGN_IN_NO', walked.answer?.code === undefined]).toEqual([false, false]);
  });
});
