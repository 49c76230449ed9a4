import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Reply, type Sent, sendUnchecked } from '../support/http.js';
import { askOver, connectHttp2, sendHttp2 } from '../support/http2.js';
import { ServiceProcess, startProcess } from '../support/service-process.js';

const FAULTY = new URL('./faulty-service.mjs', import.meta.url);

/** What one fault leaves on a connection must not meet the next request. */
const over = new Agent({ keepAlive: false });
const sendAlone = async (origin: string, sent: Sent): Promise<Reply> => sendUnchecked(origin, { ...sent, over });

let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess({ LOGIN_LIMITS: 'off' }, FAULTY);
});
afterAll(() => service.close());

/**
 * What the request is answered with over each version of HTTP: the status, or 0 where the connection or stream just
 * ends.
 */
async function statuses(path: string): Promise<number[]> {
  const asked = { method: 'POST', path: encodeURI(path), headers: { 'content-type': 'text/plain' }, body: 'a body' };
  const older = await sendAlone(service.origin, asked).then(
    ({ status }) => status,
    () => 0,
  );
  return [older, (await sendHttp2(service.origin, asked)).reply.status];
}

async function expectAlive(): Promise<void> {
  expect((await sendAlone(service.origin, { path: '/health/live' })).status).toBe(200);
  // The very process, which has not been started anew.
  expect(service.text().match(/Ready in/g)).toHaveLength(1);
}

/** Ends when a defect with this message is logged, during the work or after it. */
async function expectLogged(message: string, work: () => Promise<void>): Promise<void> {
  const before = service.text().length;
  const defects = (): string[] =>
    service
      .text()
      .slice(before, service.text().lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line.includes('"level":50'))
      .map((line) => (JSON.parse(line) as { err?: { message: string } }).err?.message ?? 'nothing');
  await work();
  const giveUpAt = performance.now() + 10_000;
  while (!defects().includes(message) && performance.now() < giveUpAt) await sleep(5);
  expect(defects()).toContain(message);
}

/**
 * What the log says then, and the status over HTTP/1.1 and over HTTP/2; 0 where the connection or stream ends without
 * one.
 */
const BEFORE_THE_ANSWER: ReadonlyArray<readonly [string, string, string, number, number?]> = [
  ['a handler', '/fault/in/handler', 'a fault in handler', 500],
  ['a promise of a handler', '/fault/in/rejection', 'a fault in rejection', 500],
  ['a promise that nothing waits for', '/fault/in/floating promise', 'a fault in floating promise', 500],
  ['a timer', '/fault/in/timer', 'a fault in timer', 500],
  ['an immediate', '/fault/in/immediate', 'a fault in immediate', 500],
  ['a tick', '/fault/in/tick', 'a fault in tick', 500],
  [
    'a stream that nothing listens to',
    '/fault/in/stream without a listener',
    'a fault in stream without a listener',
    500,
  ],
  ['an answer of which half is sent', '/fault/in/half an answer', 'a fault in half an answer', 0, 201],
  ['a body as it is read', '/fault/in/body', 'a fault in body', 500],
  ['the end of a body', '/fault/in/end of a body', 'a fault in end of a body', 500],
  ['a request that is given up', '/fault/in/error of a request', 'a fault in error of a request', 0, 500],
  ['a worker thread', '/fault/in/worker thread', 'a fault in worker thread', 500],
  ['what listens to a worker thread', '/fault/in/message of a worker', 'a fault in message of a worker', 500],
  ['an exception filter', '/fault/filtered', 'a fault in filter', 500],
  ['an exception filter that has waited', '/fault/filtered-later', 'a fault in filter', 500],
  ['a guard', '/fault/guarded', 'a fault in canActivate', 500],
  ['a guard that has waited', '/fault/guarded-later', 'a fault in canActivate', 500],
  ['an interceptor', '/fault/intercepted', 'a fault in intercept', 500],
  ['a pipe', '/fault/piped/1', 'a fault in transform', 500],
  ['middleware', '/middleware/throwing', 'a fault in middleware', 500],
  ['middleware that has waited', '/middleware/rejecting', 'a fault in middleware', 500],
  ['a promise of middleware', '/middleware/floating', 'a fault in middleware', 500],
  ['a timer of middleware', '/middleware/late', 'a fault in middleware', 500],
  ['code that throws undefined', '/fault/in/error without a message', 'nothing', 500],
  ['code whose error cannot be read', '/fault/in/error that cannot be read', 'an error that cannot be read', 500],
];

const AFTER_THE_ANSWER: ReadonlyArray<readonly [string, string, string]> = [
  ['a timer', '/fault/in/timer after the answer', 'a fault in timer after the answer'],
  ['a promise', '/fault/in/floating promise after the answer', 'a fault in floating promise after the answer'],
  ['a write', '/fault/in/answer written after its end', 'write after end'],
  [
    'a listener to the end of the answer',
    '/fault/in/answer to the end of an answer',
    'a fault in answer to the end of an answer',
  ],
  ['a listener to the end of the request', '/fault/in/close of a request', 'a fault in close of a request'],
  ['a listener to the end of the connection', '/fault/in/close of a socket', 'a fault in close of a socket'],
];

describe('An error of one request never ends the process', () => {
  it.each(BEFORE_THE_ANSWER)('when it escapes from %s', async (_, path, logged, older, newer = older) => {
    await expectLogged(logged, () => expect(statuses(path)).resolves.toEqual([older, newer]));
    await expectAlive();
  });

  it.each(AFTER_THE_ANSWER)('when it escapes from %s after the answer', async (_, path, logged) => {
    await expectLogged(logged, () => expect(statuses(path)).resolves.toEqual([200, 200]));
    await expectAlive();
  });

  it('is logged, with a reference that the caller gets as well', async () => {
    const { text } = await sendAlone(service.origin, { method: 'POST', path: '/fault/in/timer' });
    const [, reference = 'none'] = /Reference ([\w-]+)/.exec(text) ?? [];
    const line = await service.line(reference);
    expect(line).toMatch(/a fault in timer.*"path":"\/fault\/in\/timer"/);
  });

  it('fails no other request of its connection of HTTP/2', async () => {
    const session = connectHttp2(service.origin);
    const faulty = Array.from({ length: 20 }, () => askOver(session, { method: 'POST', path: '/fault/in/timer' }));
    const others = Array.from({ length: 20 }, () => askOver(session, { path: '/health/live' }));
    expect((await Promise.all(others)).map(({ reply }) => reply.status)).toEqual(others.map(() => 200));
    expect((await Promise.all(faulty)).map(({ reply }) => reply.status)).toEqual(faulty.map(() => 500));
    session.destroy();
  });
});

describe('An error of a job', () => {
  it('ends the job, and neither the process nor the request that has begun it', async () => {
    const reply = await sendAlone(service.origin, { method: 'POST', path: '/fault/job' });
    expect(reply.json()).toEqual({ state: 'failed', reason: 'internal' });
    expect(service.text()).toContain('a fault in job');
    await expectAlive();
  });
});

// At the end, since no request is served after it.
describe('A defect of the process itself', () => {
  it('ends it with 1, and is logged', async () => {
    // An error of a request before it is not taken for its cause, nor does the context of that request outlive it.
    await sendAlone(service.origin, { method: 'POST', path: '/fault/in/tick' });
    service.signal('SIGUSR2');
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.text()).toMatch(/a fault in the process.*"msg":"defect of the process: it ends"/);
  });
});
