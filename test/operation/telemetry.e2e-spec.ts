import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ATTRIBUTES } from '../../src/foundation/trace/span.js';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { WebhookWorker } from '../../src/webhook/webhook-worker.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { CallReceiver } from '../support/call-receiver.js';
import { Collector, type ReceivedSpan } from '../support/collector.js';
import { send, sendUnchecked } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { MailServer } from '../support/mail-server.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { S3Server } from '../support/s3-server.js';
import { startWorld, type World } from '../support/world.js';
import { WebhookStage } from '../webhook/webhook-stage.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const PATH = '/admin/v1/text/default/message/init/en';
const ROUTE = 'GET /admin/v1/text/default/message/init/:language';

let collector: Collector;
let receiver: CallReceiver;
let mails: MailServer;
let storage: S3Server;
let world: World;
let lines: string[];
let org: TestOrg;
let api: AdminApi;
/** The name of a webhook that was called. */
let called: string;

beforeAll(async () => {
  collector = await Collector.open();
  receiver = await CallReceiver.open();
  [mails, storage] = await Promise.all([MailServer.open(), S3Server.start('moves')]);
  lines = [];
  world = await startWorld({
    realTime: true,
    env: {
      ...collector.settings,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial,service.name=other',
      OTEL_SERVICE_NAME: 'identity',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      OBJECT_STORE_S3_ENDPOINTS: storage.origin,
      SMTP_URL: mails.url,
      MAIL_FROM: 'no-reply@gatehouse.test',
    },
    logTo: { write: (line) => void lines.push(line) },
  });
  org = await world.add.org();
  ({ api } = await callerWith(world, org, ['IAM_OWNER']));
});
afterAll(async () => {
  await world.close();
  await collector.close();
  await Promise.all([receiver.close(), mails.close(), storage.close()]);
});
beforeEach(() => {
  collector.spans.length = 0;
  collector.points.length = 0;
});

const look = (headers = {}): Promise<unknown> => send(world.origin, { path: PATH, headers });

describe('With OTEL_EXPORTER_OTLP_ENDPOINT alone', () => {
  it('each request is a span by its route, and each statement a part of it by its name', async () => {
    await api.call('GET', PATH);
    const request = await collector.named(ROUTE);
    expect(request).toMatchObject({
      kind: 2,
      parentId: '',
      isFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/admin/v1/text/default/message/init/:language',
        'http.response.status_code': 200,
        'network.protocol.version': '1.1',
        'server.address': '127.0.0.1',
        'url.scheme': 'http',
      },
    });
    const [part] = collector.partsOf(request);
    expect(part).toMatchObject({
      kind: 3,
      attributes: { 'db.system.name': 'postgresql', 'db.query.summary': part!.name },
    });
    expect(collector.partsOf(request).map(({ name }) => name)).toContain('token.holder_of_personal');
  });

  it('what TypeORM asks is named by its first word and table, and the end of a transaction is seen', async () => {
    await api.call('POST', '/management/v1/projects', { name: uniqueName('project') });
    const request = await collector.named('POST /management/v1/projects');
    expect(collector.partsOf(request).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['START', 'INSERT project', 'COMMIT']),
    );
  });

  it('a procedure of gRPC is a span by its name', async () => {
    const path = '/service.admin.v1.AdminService/Healthz';
    const headers = { 'content-type': 'application/grpc' };
    await sendHttp2(world.origin, { method: 'POST', path, headers, body: Buffer.alloc(5) });
    expect(await collector.named(`POST ${path}`)).toMatchObject({ attributes: { 'network.protocol.version': '2' } });
  });

  it('a path without a route is in no name, and a method that nobody knows is one word', async () => {
    await sendUnchecked(world.origin, { method: 'PROPFIND', path: '/nothing-of-that' });
    const { name, attributes } = await collector.span(({ attributes: of }) => of['http.request.method'] === '_OTHER');
    expect([name, attributes['http.route']]).toEqual(['HTTP', undefined]);
  });

  it('mails, webhooks and housekeeping are spans of their own, with the calls that they make', async () => {
    const stage = new WebhookStage(world, receiver);
    called = (await stage.webhook(api, ['user.removed'], 'admin')).name;
    await stage.happen(org.id);
    await stage.queue();
    await world.get(WebhookWorker).run();
    const delivery = await collector.named('webhook delivery');
    expect(delivery).toMatchObject({ kind: 1, parentId: '', attributes: { 'gatehouse.job.kind': 'webhook delivery' } });
    const call = collector.partsOf(delivery).find(({ name }) => name === 'POST');
    expect(call).toMatchObject({
      kind: 3,
      attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
    });
    await api.call('POST', '/management/v1/users/human/_import', {
      userName: uniqueName('mailed'),
      profile: { firstName: 'A', lastName: 'B' },
      email: { email: `${uniqueName('mailed')}@mail.test`, isEmailVerified: false },
    });
    await world.get(MailWorker).run();
    const job = await collector.named('mail');
    expect(job).toMatchObject({ kind: 1, parentId: '' });
    expect(collector.partsOf(job)).toContainEqual(
      expect.objectContaining({ name: 'SMTP', kind: 3, attributes: { 'server.address': '127.0.0.1' } }),
    );
    await world.get(HousekeepingService).clean();
    const housekeeping = await collector.named('housekeeping');
    expect(collector.partsOf(housekeeping).length).toBeGreaterThan(10);
  });

  it('an import is a span of its own, apart from the request that has asked for it', async () => {
    const asked = { data_orgs: { orgs: [{ orgId: org.id }] } };
    expect((await api.ask('POST', '/admin/v1/import', asked, { Prefer: 'respond-async' })).status).toBe(202);
    const [request, job] = [await collector.named('POST /admin/v1/import'), await collector.named('import')];
    expect(job.traceId).not.toBe(request.traceId);
    expect(collector.partsOf(job).length).toBeGreaterThan(3);
  });

  it('what is written to an object storage is a call, without the name of the bucket', async () => {
    const { accessKeyId, secretAccessKey, origin: endpoint } = storage;
    const s3Output = { accessKeyId, secretAccessKey, endpoint, bucket: 'moves', path: 'all.json' };
    expect((await api.ask('POST', '/admin/v1/export', { orgIds: [org.id], s3Output })).status).toBe(202);
    expect(await collector.named('object storage write')).toMatchObject({ kind: 3, attributes: {} });
  });

  it('the figures of Prometheus are sent, under their names', async () => {
    await look();
    const requests = await collector.point(
      'http_request_duration_seconds',
      ({ attributes }) => attributes['route'] === '/admin/v1/text/default/message/init/:language',
    );
    expect(requests.count).toBeGreaterThan(0);
    expect(
      (await collector.point('gatehouse_database_connections', (of) => of.attributes['state'] === 'total')).value,
    ).toBeGreaterThan(0);
    expect((await collector.point('process_cpu_seconds_total')).value).toBeGreaterThan(0);
  });

  it('both have the resource that the settings name, an instance, and the headers that the collector wants', async () => {
    await look();
    const { resource } = await collector.named(ROUTE);
    expect(resource).toMatchObject({
      'service.name': 'identity',
      'service.version': expect.stringMatching(/^\d/),
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'deployment.environment.name': 'trial',
    });
    expect((await collector.point('process_cpu_seconds_total')).resource).toEqual(resource);
    expect(collector.headers.at(-1)).toMatchObject({ 'x-api-key': 'a key', 'content-type': 'application/x-protobuf' });
  });

  it('a line of the log has the trace and the span of its request', async () => {
    lines.length = 0;
    await sendUnchecked(world.origin, { method: 'POST', path: '/oauth/v2/token', body: { grant_type: 'nothing' } });
    const span = await collector.named('POST /oauth/v2/token');
    const line = lines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ trace_id: id }) => id !== undefined);
    expect(line).toMatchObject({ trace_id: span.traceId, span_id: span.spanId, trace_flags: '01' });
  });
});

describe('The trace of a caller', () => {
  it('is only named by a request of anybody, who can have nothing reported by it, and nothing hidden [OPS-057]', async () => {
    for (const flags of ['00', '01']) {
      collector.spans.length = 0;
      await look({
        traceparent: `00-${TRACE}-${CALLER}-${flags}`,
        tracestate: 'a=planted-state',
        baggage: 'b=planted-baggage',
      });
      const span = await collector.named(ROUTE);
      expect(span.traceId).not.toBe(TRACE);
      expect(span).toMatchObject({ parentId: '', links: [{ traceId: TRACE, spanId: CALLER }] });
    }
    expect(Buffer.concat(collector.bodies).toString()).not.toMatch(/planted/);
  });

  it('is ignored if it is malformed', async () => {
    await look({ traceparent: `00-${TRACE}-0000000000000000-01` });
    expect(await collector.named(ROUTE)).toMatchObject({ links: [] });
  });

  it('is continued by a request of a trusted proxy, with its decision [OPS-057]', async () => {
    const behind = await startWorld({ env: { ...collector.settings, TRUSTED_PROXIES: '127.0.0.1' } });
    await send(behind.origin, { path: PATH, headers: { traceparent: `00-${TRACE}-${CALLER}-00` } });
    await send(behind.origin, { path: PATH, headers: { traceparent: `00-${TRACE}-${CALLER}-01` } });
    expect(await collector.named(ROUTE)).toMatchObject({ traceId: TRACE, parentId: CALLER, links: [] });
    await behind.close();
    expect(collector.spans.filter(({ name }) => name === ROUTE)).toHaveLength(1);
  });

  it('does not reach those who are called: two calls cannot be told to be about one person [OPS-056]', async () => {
    const calls = receiver.callsTo(called);
    expect(calls.length).toBeGreaterThan(0);
    for (const { headers } of calls)
      expect(Object.keys(headers).filter((name) => /trace|baggage|b3/i.test(name))).toEqual([]);
  });
});

describe('What is exported', () => {
  it('has the attributes of the list and no text of an error, no secret and no name of a person [OPS-055]', async () => {
    const person = await world.add.person({ orgId: org.id });
    const client = await world.add.client({ projectId: world.firstStart.projectId });
    const rp = new RelyingParty(world, client);
    await rp.enter(await rp.authorize(), { ...person, password: 'Wrong-Password-1' });
    const tokens = await new RelyingParty(world, client).tokens(person, {
      scope: 'openid profile email offline_access',
    });
    await rp.refresh(tokens.refresh_token);
    await rp.refresh('unknown');
    await rp.userinfo(tokens.access_token);
    await rp.introspect(tokens.access_token);
    await rp.endSession({ id_token_hint: tokens.id_token });
    await send(world.origin, { path: `/oidc/v1/userinfo?access_token=${tokens.access_token}` });
    await send(world.origin, { path: `/nothing/${person.loginName}`, headers: bearer(tokens.access_token) });
    await api.call('GET', `/management/v1/users/${person.id}`);
    await api.ask('POST', '/management/v1/users/human/_import', { userName: person.loginName });
    await api.call('POST', '/admin/v1/export', {
      org_ids: [org.id],
      with_passwords: true,
      response_output: true,
      timeout: '20s',
    });
    await sleep(500);
    const sent = Buffer.concat(collector.bodies).toString('latin1');
    expect(world.secretsIn(sent)).toEqual([]);
    for (const told of [person.loginName, person.id, client.clientId, org.id]) expect(sent.includes(told)).toBe(false);
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => !(ATTRIBUTES as readonly string[]).includes(name))).toEqual([]);
    expect(collector.spans.filter(({ events, message }) => events > 0 || message !== '')).toEqual([]);
    expect(collector.spans.length).toBeGreaterThan(50);
  });
});

describe('A collector', () => {
  it('that refuses or is silent delays no request, and is one line of the log [OPS-058]', async () => {
    const told: string[] = [];
    const other = await Collector.open();
    other.mood = 'refuses';
    const untold = await startWorld({ env: other.settings, logTo: { write: (line) => void told.push(line) } });
    const warnings = (): string[] => told.filter((line) => line.includes('the collector of OpenTelemetry'));
    const askTwenty = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) await send(untold.origin, { path: PATH });
    };
    await askTwenty();
    while (warnings().length === 0) await sleep(50);
    other.mood = 'is silent';
    const began = performance.now();
    await askTwenty();
    expect(performance.now() - began).toBeLessThan(5_000);
    await untold.close();
    expect(warnings().map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 40, cause: expect.any(String) }),
    ]);
    await other.close();
  });

  it('that is silent does not hold up the end of a process', async () => {
    const other = await Collector.open();
    other.mood = 'is silent';
    const stopping = await startWorld({ env: other.settings });
    await send(stopping.origin, { path: PATH });
    const began = performance.now();
    await stopping.close();
    expect(performance.now() - began).toBeLessThan(4_000);
    await other.close();
  });

  it('gets what is left when a process ends', async () => {
    const other = await Collector.open();
    const stopping = await startWorld({ env: { ...other.settings, OTEL_BSP_SCHEDULE_DELAY: '60000' } });
    await send(stopping.origin, { path: PATH });
    await stopping.close();
    expect(other.spans.map(({ name }: ReceivedSpan) => name)).toContain(ROUTE);
    await other.close();
  });
});
