import { describe, expect, it } from '@jest/globals';
import {
  addProject,
  ConnectionError,
  type ConnectOptions,
  connect,
  type Fetch,
  type Gatehouse,
  GatehouseError,
  getUserByID,
  importData,
  listUsers,
} from '../../src/client/index.js';
import { busy, cutOff, refusing, ScriptedServer, silent } from './scripted-server.js';

const TOKEN = 'the-secret-token';
const ID = { id: '1' };

async function begin(
  options: Partial<ConnectOptions> = {},
): Promise<AsyncDisposable & { server: ScriptedServer; gatehouse: Gatehouse }> {
  const server = await ScriptedServer.start();
  const gatehouse = connect({ url: server.url, token: TOKEN, ...options });
  return { server, gatehouse, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function errorOf(call: Promise<unknown>): Promise<GatehouseError & ConnectionError> {
  const error = await call.then(
    () => new Error('It was answered.'),
    (thrown: unknown) => thrown,
  );
  expect(String((error as Error).stack) + JSON.stringify(error)).not.toContain(TOKEN);
  return error as GatehouseError & ConnectionError;
}

describe('A call that the service refuses for now', () => {
  it.each([429, 503] as const)('is sent again after Retry-After, whatever it does: %d', async (status) => {
    await using on = await begin();
    on.server.next(busy(status, { 'Retry-After': '1' }), refusing(200, {}, { id: '7' }));
    await expect(addProject(on.gatehouse, { name: 'Shop' })).resolves.toEqual({ id: '7' });
    const [first, second] = on.server.asked;
    expect([first, second].map((one) => one?.body)).toEqual(['{"name":"Shop"}', '{"name":"Shop"}']);
    expect(second!.atMs - first!.atMs).toBeGreaterThan(950);
  });

  it('is not sent again if it may have been done, unless it changes nothing', async () => {
    await using on = await begin();
    const unknown = busy(503, { 'Retry-After': '0' }, 'database.outcome_unknown');
    on.server.next(unknown, unknown, refusing(200, {}, { result: [] }));
    const refusal = await errorOf(addProject(on.gatehouse, { name: 'Shop' }));
    expect(refusal).toMatchObject({ reason: 'database.outcome_unknown' });
    expect(on.server.asked).toHaveLength(1);
    await listUsers(on.gatehouse, {});
    expect(on.server.asked).toHaveLength(3);
  });

  it('is sent again after a time that is said as a date (RFC 9110 §10.2.3)', async () => {
    await using on = await begin();
    on.server.next(busy(503, { 'Retry-After': new Date(Date.now() - 5_000).toUTCString() }));
    await addProject(on.gatehouse, { name: 'Shop' });
    expect(on.server.asked).toHaveLength(2);
  });

  it('is sent again without a time only if it changes nothing', async () => {
    await using on = await begin();
    on.server.next(busy(503), busy(503), busy(503));
    expect(await errorOf(addProject(on.gatehouse, { name: 'Shop' }))).toMatchObject({
      status: 503,
      reason: 'service.busy',
    });
    expect(on.server.asked).toHaveLength(1);
    await listUsers(on.gatehouse);
    expect(on.server.asked).toHaveLength(4);
  });

  it('is given up after four attempts, or as many as one says', async () => {
    await using on = await begin();
    on.server.next(...Array.from({ length: 6 }, () => busy(429, { 'Retry-After': '0' })));
    expect(await errorOf(getUserByID(on.gatehouse, ID))).toMatchObject({ status: 429, retryAfterSeconds: 0 });
    expect(on.server.asked).toHaveLength(4);
    await errorOf(getUserByID(on.gatehouse, ID, { retry: { attempts: 2 } }));
    expect(on.server.asked).toHaveLength(6);
  });

  it('is given up at once when the service wants more time than one has', async () => {
    await using on = await begin();
    on.server.next(busy(503, { 'Retry-After': '3600' }));
    expect(await errorOf(getUserByID(on.gatehouse, ID))).toMatchObject({ retryAfterSeconds: 3600 });
    expect(on.server.asked).toHaveLength(1);
  });

  it('is not waited for any longer when the signal is aborted', async () => {
    await using on = await begin();
    on.server.next(busy(503, { 'Retry-After': '20' }));
    const stop = new AbortController();
    const call = getUserByID(on.gatehouse, ID, { signal: stop.signal });
    const reason = new Error('enough');
    while (on.server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => stop.abort(reason), 20);
    expect(await errorOf(call)).toBe(reason);
    expect(on.server.asked).toHaveLength(1);
  });
});

describe('A lost connection', () => {
  it('is tried again if the operation changes nothing, by GET or as a search', async () => {
    await using on = await begin();
    on.server.next(cutOff, cutOff);
    await getUserByID(on.gatehouse, ID);
    on.server.next(cutOff);
    await listUsers(on.gatehouse);
    expect(on.server.asked).toHaveLength(5);
  });

  it('is an error at once if the operation may have been done', async () => {
    await using on = await begin();
    on.server.next(cutOff);
    const error = await errorOf(addProject(on.gatehouse, { name: 'Shop' }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ problem: 'unreachable', url: on.server.url, operation: addProject });
    expect(on.server.asked).toHaveLength(1);
  });

  it('is an error of its own class when nobody listens', async () => {
    const { url } = await ScriptedServer.start().then(async (server) => {
      const address = { url: server.url };
      await server[Symbol.asyncDispose]();
      return address;
    });
    const error = await errorOf(getUserByID(connect({ url, token: TOKEN }), ID));
    expect(error).toMatchObject({ name: 'ConnectionError', problem: 'unreachable', cause: expect.anything() });
  });

  it('is not tried again with a stream, which has been read', async () => {
    await using on = await begin();
    on.server.next(busy(503, { 'Retry-After': '0' }));
    const body = new Blob(['{}']).stream();
    expect(await errorOf(importData(on.gatehouse, {}, { body }))).toMatchObject({ status: 503 });
    expect(on.server.asked.map((one) => one.body)).toEqual(['{}']);
  });
});

describe('A call', () => {
  it('ends with its timeout, and with the reason of its signal', async () => {
    await using on = await begin({ timeoutMs: 50 });
    on.server.next(silent, silent);
    expect(await errorOf(getUserByID(on.gatehouse, ID))).toMatchObject({ problem: 'timeout', status: undefined });
    expect(
      await errorOf(getUserByID(on.gatehouse, ID, { timeoutMs: 0, signal: AbortSignal.timeout(300) })),
    ).toMatchObject({
      name: 'TimeoutError',
    });
    const reason = new Error('before');
    expect(await errorOf(getUserByID(on.gatehouse, ID, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(on.server.asked).toHaveLength(2);
  });

  it('does not follow a redirect with its token', async () => {
    await using on = await begin();
    await using other = await ScriptedServer.start();
    on.server.next(refusing(307, { Location: other.url }));
    const error = await errorOf(getUserByID(on.gatehouse, ID));
    expect(error).toMatchObject({ problem: 'redirected', status: 307, message: expect.stringContaining(other.url) });
    expect(other.asked).toEqual([]);
  });

  it.each([
    ['a page of a proxy', 502, 'Bad gateway'],
    ['JSON of something else', 404, { status: 'nothing here' }],
  ])('that is answered by %s is no refusal of Gatehouse', async (_, status, body) => {
    await using on = await begin({ retry: { attempts: 1 } });
    on.server.next(refusing(status, {}, body));
    expect(await errorOf(getUserByID(on.gatehouse, ID))).toMatchObject({ problem: 'not_gatehouse', status });
  });

  it('says how wrong an answer is that is no JSON although it says so', async () => {
    await using on = await begin();
    on.server.next(refusing(200, { 'Content-Type': 'application/json' }, '<p>'));
    expect(await errorOf(getUserByID(on.gatehouse, ID))).toMatchObject({ problem: 'not_gatehouse' });
  });

  it('refuses a value that would lead to another operation, and a token that is none, without showing it', async () => {
    await using on = await begin();
    for (const id of ['', '.', '..'])
      expect(await errorOf(getUserByID(on.gatehouse, { id }))).toMatchObject({
        message: expect.stringContaining('"id"'),
      });
    expect(await errorOf(getUserByID(on.gatehouse, ID, { token: `${TOKEN}\nX: y` }))).toMatchObject({
      name: 'TypeError',
    });
    await getUserByID(on.gatehouse, { id: '../a?b#c' });
    expect(on.server.asked.map(({ url }) => url)).toEqual(['/management/v1/users/..%2Fa%3Fb%23c']);
  });

  it('sends the token, the organization and headers of the connection, or those of its own', async () => {
    await using on = await begin({ organization: '1', headers: { 'X-Trace': 'a' }, urnWord: 'Acme' });
    await getUserByID(on.gatehouse, ID);
    await getUserByID(on.gatehouse, ID, { organization: '2', token: 'other', headers: { 'X-Trace': 'b' } });
    expect(
      on.server.asked.map(({ headers }) => [headers.authorization, headers['x-acme-orgid'], headers['x-trace']]),
    ).toEqual([
      [`Bearer ${TOKEN}`, '1', 'a'],
      ['Bearer other', '2', 'b'],
    ]);
  });

  it('goes through a fetch of one’s own', async () => {
    await using on = await begin();
    const seen: string[] = [];
    const own: Fetch = (url, init) => {
      seen.push(url);
      return fetch(url, init);
    };
    await getUserByID(on.gatehouse, ID, { fetch: own });
    expect(seen).toEqual([`${on.server.url}/management/v1/users/1`]);
  });
});

describe('A connection', () => {
  it('keeps the path of its address, and shows no token', async () => {
    await using server = await ScriptedServer.start();
    const gatehouse = connect({ url: `${server.url}/id/`, token: TOKEN });
    await getUserByID(gatehouse, ID);
    expect(server.asked.map(({ url }) => url)).toEqual(['/id/management/v1/users/1']);
    const { inspect } = await import('node:util');
    expect(inspect(gatehouse, { depth: 9, showHidden: true }) + JSON.stringify(gatehouse)).not.toContain(TOKEN);
  });

  it.each(['id.acme.test', 'ftp://id.acme.test', 'https://me:secret@id.acme.test', 'https://id.acme.test/?a=b'])(
    'refuses the address %s without repeating it',
    (url) => {
      expect(() => connect({ url })).toThrow('The url must be an address');
      expect(() => connect({ url })).not.toThrow(url);
    },
  );
});
