import { gzipSync } from 'node:zlib';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { type Reply, send, sendUnchecked } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { bearer } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { methodsById } from './faces.js';
import { postWeb } from './grpc-clients.js';

const MANAGEMENT = '/service.management.v1.ManagementService';
const HEALTH = '/grpc.health.v1.Health/Check';

let world: World;
let org: TestOrg;
let token: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org();
  token = bearer((await callerWith(world, org, ['ORG_OWNER'])).api.token) as Record<string, string>;
});
afterAll(() => world.close());

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: ReadonlyArray<{ readonly type: string; readonly value: string; readonly debug: unknown }>;
}

const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(world.origin, {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...token, ...headers },
    body,
  });

const call = (method: string, message: object, headers: Record<string, string> = {}): Promise<Reply> =>
  post(`${MANAGEMENT}/${method}`, JSON.stringify(message), { 'Connect-Protocol-Version': '1', ...headers });

const said = (reply: Reply): [number, string] => [reply.status, reply.json<ErrorBody>().code];

describe('Connect', () => {
  it('does what the same operation does in JSON, by the names of the .proto', async () => {
    const added = await call('AddProject', { name: 'By Connect' });
    expect([added.status, added.header('content-type'), added.header('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    const { id } = added.json<{ id: string }>();
    expect((await call('GetProjectByID', { id })).json()).toMatchObject({
      project: { id, name: 'By Connect', details: { resourceOwner: org.id } },
    });
  });

  it('leaves out what is zero, as ProtoJSON does', async () => {
    const { id } = (await call('AddProject', { name: 'Zero' })).json<{ id: string }>();
    const { project } = (await call('GetProjectByID', { id })).json<{ project: object }>();
    expect(project).not.toHaveProperty('hasProjectCheck');
  });

  it('takes and gives binary messages', async () => {
    const { rpc } = methodsById(world).get('GetMyOrg')!;
    const reply = await postWeb(
      world.origin,
      `${MANAGEMENT}/GetMyOrg`,
      Buffer.from(toBinary(rpc.input, { $typeName: rpc.input.typeName })),
      { ...token, 'Content-Type': 'application/proto' },
    );
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/proto']);
    expect(fromBinary(rpc.output, reply.body)).toMatchObject({ org: { id: org.id } });
  });

  it('takes compressed messages', async () => {
    const reply = await postWeb(world.origin, `${MANAGEMENT}/GetMyOrg`, gzipSync('{}'), {
      ...token,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    });
    expect(JSON.parse(reply.body.toString())).toMatchObject({ org: { id: org.id } });
  });

  it('is served over HTTP/2 as well', async () => {
    const { reply } = await sendHttp2(world.origin, {
      method: 'POST',
      path: `${MANAGEMENT}/GetMyOrg`,
      headers: { 'content-type': 'application/json', authorization: token['Authorization']! },
      body: Buffer.from('{}'),
    });
    expect([reply.status, reply.json()]).toMatchObject([200, { org: { id: org.id } }]);
  });

  it('acts for the organization of the header', async () => {
    const other = await world.add.org();
    expect(said(await call('GetMyOrg', {}, { 'x-service-orgid': other.id }))).toEqual([403, 'permission_denied']);
  });

  it('answers the health', async () => {
    const reply = await postWeb(world.origin, HEALTH, Buffer.from('{}'), { 'Content-Type': 'application/json' });
    expect(JSON.parse(reply.body.toString())).toEqual({ status: 'SERVING' });
  });
});

describe('Refusals over Connect', () => {
  it('have the code by its name, the status of HTTP, and the details as a message and to read', async () => {
    const reply = await call('AddProject', { name: '' });
    expect(said(reply)).toEqual([400, 'invalid_argument']);
    const { message, details } = reply.json<ErrorBody>();
    expect(message).toContain('name: must have 1 to 200 characters');
    expect(details).toEqual([
      {
        type: 'google.rpc.BadRequest',
        value: expect.stringMatching(/^[A-Za-z0-9+/]+$/),
        debug: { fieldViolations: [{ field: 'name', description: 'must have 1 to 200 characters' }] },
      },
    ]);
  });

  it('come before anything is read of a caller without a token', async () => {
    expect(said(await call('AddProject', {}, { Authorization: '' }))).toEqual([401, 'unauthenticated']);
    expect(said(await post(`${MANAGEMENT}/AddProject`, '{', { Authorization: 'Bearer x' }))).toEqual([
      401,
      'unauthenticated',
    ]);
  });

  it('name an unknown filter, as in JSON: it is not ignored', async () => {
    const reply = await call('ListProjects', { queries: [{ nonsense: { a: '1' } }] });
    expect(said(reply)).toEqual([400, 'invalid_argument']);
    expect(reply.json<ErrorBody>().message).toContain('"nonsense" is unknown');
  });

  it('name a field that was sent under two names: neither wins', async () => {
    const { id } = (await call('AddProject', { name: 'Twice' })).json<{ id: string }>();
    const reply = await call('AddProjectRole', { projectId: id, project_id: '1', roleKey: 'a', displayName: 'A' });
    expect([...said(reply), reply.json<ErrorBody>().message]).toEqual([
      400,
      'invalid_argument',
      expect.stringContaining('must be sent only once'),
    ]);
  });

  it.each<[string, string, Record<string, string>, [number, string]]>([
    ['a text that is not JSON', '{', {}, [400, 'invalid_argument']],
    ['a list', '[]', {}, [400, 'invalid_argument']],
    ['a text', '"a"', {}, [400, 'invalid_argument']],
    ['null', 'null', {}, [400, 'invalid_argument']],
    ['a member twice', '{"name":"a","name":"b"}', {}, [400, 'invalid_argument']],
    ['more than a megabyte', `{"name":"${'a'.repeat(1_048_576)}"}`, {}, [429, 'resource_exhausted']],
    ['bytes that are no message', '\u0008', { 'Content-Type': 'application/proto' }, [400, 'invalid_argument']],
    ['what is not compressed', '{}', { 'Content-Encoding': 'gzip' }, [400, 'invalid_argument']],
    ['another compression', '{}', { 'Content-Encoding': 'zstd' }, [415, 'unimplemented']],
    ['another version', '{}', { 'Connect-Protocol-Version': '2' }, [400, 'invalid_argument']],
    ['a timeout that is no number', '{}', { 'Connect-Timeout-Ms': '1s' }, [400, 'invalid_argument']],
    ['a timeout of days', '{}', { 'Connect-Timeout-Ms': '9999999999' }, [400, 'invalid_argument']],
  ])('blame the caller for %s', async (_, body, headers, expected) => {
    expect(said(await post(`${MANAGEMENT}/AddProject`, body, headers))).toEqual(expected);
  });

  it('come at the deadline', async () => {
    const reply = await sendUnchecked(world.origin, {
      method: 'POST',
      path: `${MANAGEMENT}/AddProject`,
      headers: { 'Content-Type': 'application/json', 'Connect-Timeout-Ms': '0', ...token },
      body: '{"name":"Late"}',
    });
    expect(said(reply)).toEqual([504, 'deadline_exceeded']);
  });

  it('of an operation that does not exist are 404', async () => {
    expect(said(await call('Nothing', {}))).toEqual([404, 'unimplemented']);
    expect(said(await post('/service.session.v2.SessionService/ListSessions', '{}'))).toEqual([404, 'unimplemented']);
    expect((await post('/service.html', '{}')).header('content-type')).toMatch(/^text\/html/);
  });

  it.each([
    'application/connect+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
  ])('of the media type %s are 415, and say what is taken', async (type) => {
    const reply = await call('GetMyOrg', {}, { 'Content-Type': type });
    expect([reply.status, reply.header('accept-post')]).toEqual([
      415,
      'application/json, application/proto, application/grpc, application/grpc-web',
    ]);
  });
});

describe('Connect in browsers [ADM-031]', () => {
  it('lets any origin call, without its cookies and only with a token', async () => {
    const preflight = await send(world.origin, {
      method: 'OPTIONS',
      path: `${MANAGEMENT}/GetMyOrg`,
      headers: {
        Origin: 'https://evil.test',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'connect-protocol-version,connect-timeout-ms',
      },
    });
    expect([preflight.status, preflight.header('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.header('access-control-allow-headers')).toMatch(/Connect-Protocol-Version, Connect-Timeout-Ms/);
    expect(preflight.header('access-control-allow-credentials')).toBeUndefined();
    const reply = await call('GetMyOrg', {}, { Authorization: '', Cookie: `session=${token['Authorization']}` });
    expect([...said(reply), reply.header('access-control-allow-origin')]).toEqual([401, 'unauthenticated', '*']);
    const absent = await send(world.origin, {
      method: 'OPTIONS',
      path: '/service.session.v2.SessionService/ListSessions',
    });
    expect([absent.status, absent.header('access-control-allow-origin')]).toEqual([204, '*']);
  });
});
