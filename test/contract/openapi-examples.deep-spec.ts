import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, readingOf } from '../../src/docs/site/current.js';
import { ExampleIds } from '../../src/docs/site/examples.js';
import { type CarriedMember, PUBLIC_EVENTS } from '../../src/foundation/event/catalogue.js';
import { isInternalEvent } from '../../src/foundation/event/internal-events.js';
import { AdminApi, type Json, verdictOf } from '../support/admin-api.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { examplesInOrder, idOf } from './example-order.js';
import {
  adminRoutesOf,
  brokenPromises,
  type Document,
  exampleOf,
  type Operation,
  type Route,
} from './openapi-document.js';
import { REFUSED } from './refused-examples.js';

let world: World;
let document: Document;
let ids: ExampleIds;
let api: AdminApi;
/** By operation, in the order of the requests. */
const answers = new Map<string, string[]>();

/** By operation, what is answered to the values that the page at /docs loads before an update, sent back unchanged. */
const sentBack = new Map<string, string>();

/** What answers hold that the document does not promise, or the other way round. */
const broken: string[] = [];

/** As the page at /docs does. */
async function sendExample(route: Route): Promise<string> {
  const { method, path, headers, body } = exampleOf(route);
  const filledHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ids.fill(value)]));
  const reply = await api.ask(method, ids.fill(path), body === undefined ? undefined : ids.fill(body), filledHeaders);
  if (reply.status === 200) {
    ids.learn(method, route.path, reply.json());
    const promised = route.operation.responses['200']!.content!['application/json']!.schema!;
    broken.push(...brokenPromises(promised, reply.json(), document.components.schemas, idOf(route)));
  }
  return verdictOf(reply);
}

/** What "Load what is there" and then Execute do. */
async function sendBack({ method, path, operation }: Route): Promise<string> {
  const current = operation['x-current']!;
  const examples = (operation.parameters ?? []).filter(({ in: place }) => place === 'path');
  const values = new Map(examples.map(({ name, example }) => [`path.${name}`, ids.fill(String(example))]));
  const reading = readingOf(current, values);
  const there = await api.call(reading.method.toUpperCase(), reading.path, reading.body as Json);
  const schema = operation.requestBody!.content['application/json']!.schema!.$ref!.split('/').at(-1)!;
  const body = bodyOf(current, there, Object.keys(document.components.schemas[schema]!.properties!));
  if (!body || Object.keys(body).length === 0) return 'nothing to load';
  return api.verdict(method, readingOf({ path, field: [] }, values).path, body);
}

beforeAll(async () => {
  world = await startWorld();
  document = (await send(world.origin, { path: '/docs-json' })).json<Document>();
  ids = new ExampleIds(document['x-example-ids']);
  api = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
  for (const route of examplesInOrder(document)) {
    const verdict = await sendExample(route);
    answers.set(idOf(route), [...(answers.get(idOf(route)) ?? []), verdict]);
    if (verdict === '200' && route.operation['x-current']) sentBack.set(idOf(route), await sendBack(route));
  }
}, 120_000);
afterAll(() => world.close());

describe('the examples of openapi.json', () => {
  it('are all sent', () => {
    expect([...answers.keys()].sort()).toEqual(adminRoutesOf(document).map(idOf).sort());
  });

  it('are answered with 2xx, one after the other, on a fresh instance; and those that cannot be, as is written here', () => {
    const refused = Object.fromEntries(
      [...answers]
        .filter(([, verdicts]) => !verdicts.includes('200'))
        .map(([id, verdicts]) => [id, verdicts.join(', ')]),
    );
    expect(refused).toEqual(Object.fromEntries(Object.entries(REFUSED).map(([id, [verdict]]) => [id, verdict])));
  });
});

describe('the events that the examples append', () => {
  it('are of types that the catalogue names, or that are known to be internal', async () => {
    const appended = await world.rows<{ type: string }>('SELECT DISTINCT type FROM event ORDER BY type');
    const types = appended.map(({ type }) => type);
    const known = new Set(PUBLIC_EVENTS.map(({ type }) => type));
    expect(types.filter((type) => !known.has(type) && !isInternalEvent(type))).toEqual([]);
    expect(types.length).toBeGreaterThan(100);
  });

  it('carry what the catalogue says, and it is what the catalogue says', async () => {
    const carrying = new Map(PUBLIC_EVENTS.map(({ type, carries }) => [type, Object.entries(carries)]));
    const appended = await world.rows<{ type: string; payload: Record<string, unknown> }>(
      'SELECT type, payload FROM event ORDER BY position',
    );
    const wrong = appended.flatMap(({ type, payload }) =>
      (carrying.get(type) ?? [])
        .filter(([name, kind]) => !isOfKind(payload[name], kind))
        .map(([name, kind]) => `${type}: ${name} is no ${kind}`),
    );
    expect([...new Set(wrong)]).toEqual([]);
    const seen = new Set(appended.map(({ type }) => type));
    const unseen = [...carrying].filter(([type, members]) => members.length > 0 && !seen.has(type));
    expect(unseen.map(([type]) => type).filter((type) => !/changed$/.test(type))).toEqual(NO_EXAMPLE);
  });
});

describe('the values that the page at /docs loads before an update', () => {
  it('are complete: sent back as they are, they change nothing, and no update refuses them', () => {
    const updates = adminRoutesOf(document).filter(({ operation }) => 'x-current' in operation);
    const possible = updates.map(idOf).filter((id) => !(id in REFUSED));
    expect([...sentBack.keys()].sort()).toEqual(possible.sort());
    expect([...sentBack].filter(([, verdict]) => !/^200$|^400 \w+\.unchanged$/.test(verdict))).toEqual([]);
  });
});

describe('the answers', () => {
  it('hold every field that the document promises, and no other', () => {
    expect(broken).toEqual([]);
  });
});

describe('the refusals in openapi.json', () => {
  const ORG_POLICY = '/management/v1/policies';
  const domain = 'to-be-proven.example';

  it.each<[reason: string, provoke: () => Promise<string>]>([
    ['token.dead', () => new AdminApi(world.origin, 'nobody').verdict('GET', '/admin/v1/orgs/default')],
    ['policy.not_found', () => api.verdict('DELETE', `${ORG_POLICY}/lockout`)],
    ['policy.exists', () => twice('POST', `${ORG_POLICY}/lockout`, { maxPasswordAttempts: 5 })],
    [
      'policy.factor_exists',
      () => twice('POST', '/admin/v1/policies/login/second_factors', { type: 'SECOND_FACTOR_TYPE_OTP_EMAIL' }),
    ],
    [
      'policy.factor_not_found',
      () => twice('DELETE', '/admin/v1/policies/login/second_factors/SECOND_FACTOR_TYPE_OTP_EMAIL'),
    ],
    ['policy.image_not_found', () => api.verdict('GET', '/assets/nobody/logo')],
    [
      'policy.image_too_large',
      async () =>
        verdictOf(
          await api.ask('PUT', '/admin/v1/policies/label/logo', 'x'.repeat(600_000), { 'Content-Type': 'image/png' }),
        ),
    ],
    [
      'policy.image_unreadable',
      () =>
        api.verdict('PUT', '/admin/v1/policies/label/logo', { content: Buffer.from('no picture').toString('base64') }),
    ],
    [
      'org.domain_verified',
      async () => {
        await world.rows("UPDATE org_domain SET is_proved = true WHERE domain = 'acme.localhost'");
        return api.verdict('POST', '/management/v1/orgs/me/domains/acme.localhost/validation/_generate', {
          type: 'DOMAIN_VALIDATION_TYPE_DNS',
        });
      },
    ],
    [
      'org.domain_validation_failed',
      async () => {
        await api.call('PUT', '/admin/v1/policies/domain', { validateOrgDomains: true });
        await api.call('POST', '/management/v1/orgs/me/domains', { domain });
        await api.call('POST', `/management/v1/orgs/me/domains/${domain}/validation/_generate`, {
          type: 'DOMAIN_VALIDATION_TYPE_DNS',
        });
        return api.verdict('POST', `/management/v1/orgs/me/domains/${domain}/validation/_validate`);
      },
    ],
  ])('are answered: %s', async (reason, provoke) => {
    expect(await provoke()).toMatch(new RegExp(`^4\\d\\d ${reason.replace('.', '\\.')}$`));
  });

  it('are each provoked by a test, here or elsewhere, unless no caller can', () => {
    const tests = textOf(new URL('..', import.meta.url));
    const unproven = [...reasonsOf(document)].filter((reason) => !NOBODY_CAN.has(reason) && !tests.includes(reason));
    expect(unproven.sort()).toEqual([]);
  });

  it('blame a field that the request of the operation has', () => {
    const foreign = adminRoutesOf(document).flatMap(({ operation }) => {
      const blamed = blamedField(operation);
      return blamed === undefined || fieldNamesOf(document, operation).has(blamed)
        ? []
        : [`${operation.operationId}: ${blamed}`];
    });
    expect(foreign).toEqual([]);
  });

  async function twice(method: string, path: string, body?: Record<string, unknown>): Promise<string> {
    await api.ask(method, path, body);
    return api.verdict(method, path, body);
  }
});

/**
 * Types with a payload that no example appends, besides changes, which carry what an addition does: each leads a user
 * through pages, needs an extension, changes something by a file, or follows from the removal of somebody whom the
 * examples remove later.
 */
const NO_EXAMPLE = [
  'org.configuration.applied',
  'user.signed_in',
  'group.member.cascade.removed',
  'client.extension.added',
  'session.signed_in',
  'instance.configuration.applied',
  'instance.extension.loaded',
];

/** Whether a value is what the catalogue of events calls it. */
function isOfKind(value: unknown, kind: CarriedMember): boolean {
  if (value === undefined) return kind.endsWith('?');
  if (kind.startsWith('texts')) return Array.isArray(value) && value.every((one) => typeof one === 'string');
  return typeof value === kind.replace('text', 'string').replace('?', '');
}

/** What shows a defect of ours or of the database, and what every broken field is answered with under its own name. */
const NOBODY_CAN = new Set(['request.invalid', 'text.missing', 'list.too_slow']);

function reasonsOf(whole: Document): Set<string> {
  const contents = adminRoutesOf(whole).flatMap(({ operation }) =>
    Object.values(operation.responses).map(({ content }) => content?.['application/json']),
  );
  return new Set(
    contents.flatMap((content) => Object.keys(content?.examples ?? {})).filter((name) => name.includes('.')),
  );
}

/** The field that the example of an invalid request names, without what it is nested in. */
function blamedField(operation: Operation): string | undefined {
  const example = operation.responses['400']?.content?.['application/json']?.examples?.['request.invalid']?.value;
  const message = (example as { message: string } | undefined)?.message;
  return message && /^\w+/.exec(message)?.[0];
}

function fieldNamesOf(whole: Document, operation: Operation): ReadonlySet<string> {
  const parameters = (operation.parameters ?? []).map(({ name }) => name.split('.')[0]!);
  const schema = operation.requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1);
  const properties = schema === undefined ? {} : whole.components.schemas[schema]?.properties;
  return new Set([...parameters, ...Object.keys(properties ?? {})]);
}

/** Of the tests, this one among them. */
function textOf(folder: URL): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
