import { describe, expect, it } from '@jest/globals';
import type { Request as ExpressRequest } from 'express';
import { PartCalls } from '../../foundation/extension/part-calls.js';
import { PartRecord } from '../../foundation/extension/part-record.js';
import type { Logger } from '../../foundation/log/logger.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { Clock } from '../../foundation/time/clock.js';
import { Consents } from '../../project/client/consents.js';
import { SERVICE_PAGES } from '../../project/client/service-pages.js';
import { LOGIN_STEP, type LoginStep, type StepDue, type Turn } from './ext-login-step.js';
import { client, now, plain, session } from './sign-in.fixture.js';
import { type DecidedSignIn, SignInDecision } from './sign-in-decision.js';

const alice = session('alice');
const asked: Array<[string, Turn]> = [];

/** A step that is due, or not, or does something else when it is asked. */
function step(name: string, isDue: StepDue | (() => unknown)): LoginStep {
  return {
    name,
    isDue: async (turn) => {
      asked.push([name, turn]);
      return (typeof isDue === 'function' ? isDue() : isDue) as StepDue;
    },
    page: () => Promise.reject(new Error('No page is wanted.')),
    submit: () => Promise.reject(new Error('No form was sent.')),
  };
}

const logged: unknown[] = [];
const calls = new PartCalls(
  { error: (fields: unknown) => logged.push(fields) } as unknown as Logger,
  new PartRecord(new Tallies(), new Clock()),
);

/** No client here remembers what was allowed: one that describes itself asks each time. */
const noConsents = new Consents(undefined as never, undefined as never, new Clock());

function decision(...steps: LoginStep[]): SignInDecision {
  asked.length = 0;
  logged.length = 0;
  return new SignInDecision(
    steps.map((part) => ({ extension: 'hr', name: 'Step', part })),
    calls,
    noConsents,
  );
}

const http = { ip: '192.0.2.7', headers: { 'user-agent': 'Agent '.repeat(100) } } as unknown as ExpressRequest;

function signIn(over: Partial<DecidedSignIn['request']> = {}, more: Partial<DecidedSignIn> = {}): DecidedSignIn {
  const request = { ...plain, scopes: ['openid'], ...over } as DecidedSignIn['request'];
  return { request, client: client(), http, sessions: [alice], now, ...more };
}

const due = step('terms', true);

describe('A login step of an extension', () => {
  it('that is due replaces the answer, for the session that would have answered', async () => {
    expect(await decision(due).of(signIn())).toEqual({ kind: 'step', step: 'ext/hr/terms', session: alice });
  });

  it('refuses the user, and no step after it is asked', async () => {
    const refusing = decision(step('risk', 'refuse'), due);
    expect(await refusing.of(signIn())).toEqual({ kind: 'not-admitted', session: alice, by: 'ext/hr/risk' });
    expect(asked.map(([name]) => name)).toEqual(['risk']);
  });

  it('requires two factors, of which the missing one comes before the steps of others', async () => {
    const demanding = decision(step('risk', 'second-factor'), due);
    const verdict = await demanding.of(signIn());
    expect(verdict.secondFactorRequired).toBe(true);
    expect(['step', 'acr-unmet']).toContain(verdict.kind);
    expect(verdict).not.toMatchObject({ step: 'ext/hr/terms' });
    expect(asked.map(([name]) => name)).toEqual(['risk']);
  });

  it('learns where the user signs in: the address, the browser under a name of its own, and what that says', async () => {
    await decision(due).of(signIn());
    await decision(due).of(signIn({ browserId: 'another' }));
    await decision(step('terms', false)).of(signIn());
    const [[, turn]] = asked as [[string, Turn]];
    expect(turn.browser).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      address: '192.0.2.7',
      userAgent: 'Agent '.repeat(100).slice(0, 400),
    });
  });

  it('that is not due changes nothing', async () => {
    expect(await decision(step('terms', false)).of(signIn())).toEqual({ kind: 'ready', session: alice });
  });

  it('comes before consent, and before the decision about a device', async () => {
    const consent = signIn({}, { client: client({ origin: 'document' }) });
    const device = signIn({ device: { id: 'd', userCode: 'WDJB-MJHT', network: '192.0.2.1', requestedAt: 0 } });
    for (const [given, step] of [
      [consent, 'consent'],
      [device, 'confirm-device'],
    ] as const) {
      expect(await decision().of(given)).toMatchObject({ kind: 'step', step });
      expect(await decision(due).of(given)).toMatchObject({ kind: 'step', step: 'ext/hr/terms' });
    }
  });

  it.each<[string, DecidedSignIn, string]>([
    ['no user has signed in', signIn({}, { sessions: [] }), 'login-name'],
    ['the password is missing', signIn({ loginName: 'bob' }), 'password'],
    ['the sign-in is too old', signIn({ prompts: ['login'], maxAgeSeconds: 0 }), 'password'],
    ['a password must be changed', signIn({ passwordChangeWanted: true }), 'change-password'],
    [
      'an address is not verified',
      signIn({}, { sessions: [session('alice', { emailVerified: false })] }),
      'verify-email',
    ],
  ])('is not asked while %s', async (_, given, expected) => {
    expect(await decision(due).of(given)).toMatchObject({ kind: 'step', step: expected });
    expect(asked).toEqual([]);
  });

  it('is not asked about a user who may not continue', async () => {
    expect((await decision(due).of(signIn({ requiredUserId: 'bob', userId: 'alice' }))).kind).toBe('wrong-user');
    const elsewhere = signIn(
      {},
      { client: client({ hasProjectCheck: true }), sessions: [session('eve', { orgId: 'b' })] },
    );
    expect((await decision(due).of(elsewhere)).kind).toBe('not-admitted');
    expect(asked).toEqual([]);
  });

  it('is asked in the order of the extensions, and after one that is due none is asked', async () => {
    const verdict = await decision(step('first', false), step('second', true), step('third', true)).of(signIn());
    expect(verdict).toMatchObject({ step: 'ext/hr/second' });
    expect(asked.map(([name]) => name)).toEqual(['first', 'second']);
  });

  it('gets facts that it cannot change, and no client on the way to our own pages', async () => {
    await decision(due).of(signIn());
    const [, turn] = asked[0]!;
    expect(turn).toMatchObject({
      userId: 'alice',
      orgId: 'a',
      scopes: ['openid'],
      amr: ['pwd'],
      client: { id: 'web1' },
    });
    expect(() => Object.assign(turn, { userId: 'bob' })).toThrow(TypeError);
    expect(() => (turn.scopes as string[]).push('all')).toThrow(TypeError);
    await decision(due).of(signIn({}, { client: SERVICE_PAGES }));
    expect(asked[0]?.[1].client).toBeUndefined();
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the table is gone');
      },
    ],
    ['answers nothing', () => undefined],
    ['answers what is neither true nor false', () => 'no'],
    ['answers another verdict', () => ({ kind: 'ready', session: session('bob') })],
  ])('that %s lets nobody past, and the log names it', async (_, broken) => {
    await expect(decision(step('terms', broken), step('other', false)).of(signIn())).rejects.toMatchObject({
      kind: 'Unavailable',
      reason: 'extension.step_unavailable',
    });
    expect(logged).toEqual([expect.objectContaining({ extension: 'hr', seam: 'LOGIN_STEP', part: 'Step' })]);
  });
});

describe('Login steps', () => {
  const mistakes = (...names: string[]): string[] =>
    LOGIN_STEP.mistakes(names.map((name) => ({ extension: 'hr', name: 'Terms', part: step(name, true) })));

  it.each(['Terms', 'a/b', '../password', '', 'a'.repeat(41)])('cannot have the name %j', (name) => {
    expect(mistakes(name)).toEqual([expect.stringContaining('needs a name of lower-case letters, digits and hyphens')]);
  });

  it('of one extension have names of their own', () => {
    expect(mistakes('terms', 'phone', 'terms')).toEqual([
      'Several login steps are shown at /ui/login/ext/hr/terms. Give each its own name.',
    ]);
  });
});
