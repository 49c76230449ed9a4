import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/foundation/database/database.js';
import { EventDispatcher } from '../../src/foundation/event/event-dispatcher.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent } from '../../src/foundation/event/event-listener.js';
import { Journal } from '../../src/foundation/event/journal.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../src/foundation/extension/sql.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import {
  LOGIN_STEP,
  type LoginStep,
  type StepResult,
  type Turn,
} from '../../src/session/auth-request/ext-login-step.js';
import type { StepPage } from '../../src/session/auth-request/step-page.js';
import { CLAIMS, type ClaimsContributor } from '../../src/token/claims/claims-contributor.js';
import { pageOf } from '../login/turns.js';
import type { TestPerson } from '../support/builders.js';
import { type Parameters, sendUnchecked } from '../support/http.js';
import { paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/** In place of the limits that the seams have, of 5 and 10 s. */
const LIMIT_MS = 1_000;

/** Which parts hang, by their seams; how often each was asked; and what its signal said at last. */
const hanging = new Set<string>();
const asked: string[] = [];
const reasons: string[] = [];

async function enter(seam: string, signal?: AbortSignal): Promise<void> {
  asked.push(seam);
  signal?.addEventListener('abort', () => reasons.push(String(signal.reason)));
  if (hanging.has(seam)) await new Promise(() => undefined);
}

@Injectable()
class Wait implements LoginStep {
  static isDue = false;
  readonly name = 'wait';
  async isDue(): Promise<boolean> {
    return Wait.isDue;
  }
  async page(): Promise<StepPage> {
    return { title: 'Wait', body: [], submit: 'Go' };
  }
  async submit(_: Turn, __: unknown, ___: unknown, signal: AbortSignal): Promise<StepResult> {
    await enter('LOGIN_STEP', signal);
    Wait.isDue = false;
    return { kind: 'done' };
  }
}

@Injectable()
class Hear implements EventListener {
  readonly name = 'hear';
  readonly types = ['user.human.added'];
  readonly since = 'now';
  async handle(events: readonly HeardEvent[], tx: SqlTransaction, signal: AbortSignal): Promise<void> {
    for (const { id, payload } of events)
      await tx.query('INSERT INTO heard VALUES (:id, :name)', { id, name: String(payload['name']) });
    await enter('EVENT_LISTENER', signal);
  }
}

@Injectable()
class Strict implements ClaimsContributor {
  readonly scopes = ['strict'];
  readonly claims = ['https://acme.example/strict'];
  readonly onFailure = 'refuse';
  async contribute(): Promise<Record<string, number>> {
    await enter('CLAIMS');
    return { 'https://acme.example/strict': 1 };
  }
}

@Module({ providers: [Wait, Hear, Strict] })
class SlowModule {}

const slow = defineExtension({
  id: 'slow',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: SlowModule,
  provides: [provide(LOGIN_STEP, Wait), provide(EVENT_LISTENER, Hear), provide(CLAIMS, Strict)],
});

let world: World;
let web: RelyingParty;
let alice: TestPerson;

beforeAll(async () => {
  const timeouts = new Timeouts(10_000, 10_000, LIMIT_MS);
  world = await startWorld({ extensions: [slow], loginLimits: 'on', timeouts });
  await world.rows('CREATE TABLE heard (id text PRIMARY KEY, name text NOT NULL)');
  alice = await world.cast.alice;
});
beforeEach(async () => {
  world.clock.advance('1m');
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  hanging.clear();
  for (const list of [asked, reasons]) list.length = 0;
  Wait.isDue = false;
});
afterAll(async () => {
  await world.rows('DROP TABLE heard');
  await world.close();
});

const LATE = `It took longer than ${LIMIT_MS} ms.`;

/** What the log says of parts that have failed since then. */
function failuresSince(from: number): unknown[] {
  const lines = world.logText().slice(from).split('\n');
  return lines
    .filter((line) => line.includes('an extension failed'))
    .map((line) => JSON.parse(line) as { extension: string; seam: string; part: string; err: { message: string } })
    .map(({ extension, seam, part, err }) => [extension, seam, part, err.message]);
}

describe('A part of an extension that is later than its limit, in the running service', () => {
  it('lets nobody past its login step: 503, and the step is still due', async () => {
    Wait.isDue = true;
    hanging.add('LOGIN_STEP');
    const page = pageOf(await web.enter(await web.authorize(), alice));
    expect(page.heading).toBe('Wait');
    const from = world.logText().length;
    await expect(web.browser.submit(page, { decision: 'continue' })).rejects.toThrow('answered 503');
    expect(failuresSince(from)).toEqual([['slow', 'LOGIN_STEP', 'Wait', LATE]]);
    expect(reasons).toEqual([`Error: ${LATE}`]);
    expect(web.toAnswer(await web.authorize({ prompt: 'none' })).error).toBe('interaction_required');
    hanging.clear();
    const answer = web.toAnswer(await web.browser.submit(pageOf(await web.authorize()), { decision: 'continue' }));
    expect(answer.code).toBeDefined();
  });

  it('has heard nothing: what its listener wrote is rolled back, and it hears the event again', async () => {
    hanging.add('EVENT_LISTENER');
    const from = world.logText().length;
    await world.get(Journal).append(world.get(Database), {
      aggregateType: 'test',
      aggregateId: 'late',
      type: 'user.human.added',
      orgId: alice.orgId,
      editorId: 'system',
      payload: { name: 'late' },
    });
    const names = (): Promise<unknown[]> => world.rows(`SELECT name FROM heard WHERE name = 'late'`);
    const cursor = (): Promise<unknown[]> =>
      world.rows(`SELECT tries, reason FROM event_cursor WHERE listener = 'slow/hear'`);
    const dispatch = (): Promise<void> => world.get(EventDispatcher).run();
    while (failuresSince(from).length === 0) await dispatch();
    expect(failuresSince(from)).toEqual([['slow', 'EVENT_LISTENER', 'Hear', LATE]]);
    expect(await names()).toEqual([]);
    expect(await cursor()).toEqual([{ tries: 1, reason: LATE }]);
    hanging.clear();
    while ((await names()).length === 0) {
      world.clock.advance('2s');
      await dispatch();
    }
    expect(await names()).toEqual([{ name: 'late' }]);
  });

  it('does not make the process unready: readiness asks no extension', async () => {
    for (const seam of ['LOGIN_STEP', 'EVENT_LISTENER', 'CLAIMS']) hanging.add(seam);
    Wait.isDue = true;
    expect((await sendUnchecked(world.origin, { path: '/health/ready' })).status).toBe(200);
    expect(asked).toEqual([]);
  });
});

describe('Claims that must not be left out, at the token endpoint', () => {
  const scope = 'openid strict offline_access';
  const ask = async (form: Parameters): Promise<unknown> => {
    const { headers, parameters } = await web.credentials();
    const body = { ...parameters, ...form };
    const reply = await sendUnchecked(world.origin, { method: 'POST', path: paths.token, headers, body });
    return [reply.status, reply.json<{ error?: string }>().error, reply.header('retry-after')];
  };
  const redeem = async (code: string): Promise<unknown> =>
    ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: web.client.redirectUri,
      ...(web.pkce && { code_verifier: web.pkce.verifier }),
    });

  it('refuse with temporarily_unavailable; the code is used up, and nothing of it remains', async () => {
    const code = await web.code(alice, { scope });
    hanging.add('CLAIMS');
    expect(await redeem(code)).toEqual([503, 'temporarily_unavailable', '5']);
    hanging.clear();
    const living = `SELECT 1 FROM token_family WHERE client_id = $1 AND user_id = $2 AND revoked_at IS NULL`;
    const client = await world.cast.web1;
    expect(await world.rows(living, [client.clientId, alice.id])).toEqual([]);
    expect(await redeem(code)).toEqual([400, 'invalid_grant', undefined]);
    expect(tokensOf(await web.redeem(await web.code(alice, { scope }))).refresh_token).toBeDefined();
  });

  it('leave a refresh token as a lost answer does: the same one is taken again for a moment', async () => {
    const { refresh_token: token } = tokensOf(await web.redeem(await web.code(alice, { scope })));
    hanging.add('CLAIMS');
    expect(await ask({ grant_type: 'refresh_token', refresh_token: token })).toEqual([
      503,
      'temporarily_unavailable',
      '5',
    ]);
    hanging.clear();
    expect(tokensOf(await web.refresh(token)).refresh_token).toBeDefined();
  });
});
