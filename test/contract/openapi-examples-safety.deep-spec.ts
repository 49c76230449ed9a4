import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExampleIds } from '../../src/docs/site/examples.js';
import { AdminApi, type Json } from '../support/admin-api.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { examplesInOrder, idOf } from './example-order.js';
import { adminRoutesOf, type Document, exampleOf, type Route } from './openapi-document.js';

let world: World;
let document: Document;
let ids: ExampleIds;
let api: AdminApi;
/** What each example changed in the effective settings of a fresh instance, as `operation: setting.field`. */
const changes: string[] = [];

/** How people sign in, what they are asked for, and where they are sent: for the instance and for an organization. */
const SETTINGS = [
  ...['admin', 'management'].flatMap((level) =>
    ['login', 'lockout', 'password/complexity', 'password/age', 'privacy', 'notification', 'label'].map(
      (policy) => `/${level}/v1/policies/${policy}`,
    ),
  ),
  '/admin/v1/policies/domain',
  '/admin/v1/settings/oidc',
  '/admin/v1/settings/signing',
  '/admin/v1/languages/default',
  '/admin/v1/orgs/default',
];

const IS_SETTING = /\/(policies|settings|languages)\//;

/** Operations that do nothing else, and say so by their names. */
const MEANT = [
  /^(Add|Remove)SecondFactor(To|From)LoginPolicy(OfOrg)?: .*login\.secondFactors$/,
  /^(Add|Remove)MultiFactor(To|From)LoginPolicy(OfOrg)?: .*login\.multiFactors$/,
  /^(Add|Remove)IDP(To|From)LoginPolicy(OfOrg)?: .*login\.idps$/,
  /^Activate(Custom)?LabelPolicy: .*label\.(logo|icon)Url(Dark)?$/,
  /^ResetLabelPolicyToDefault: .*label\.(logo|icon)Url(Dark)?$/,
];

beforeAll(async () => {
  world = await startWorld();
  document = (await send(world.origin, { path: '/docs-json' })).json<Document>();
  ids = new ExampleIds(document['x-example-ids']);
  api = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
  let before = await settings();
  const note = async (operation: string): Promise<void> => {
    const after = await settings();
    changes.push(...differences(before, after).map((setting) => `${operation}: ${setting}`));
    before = after;
  };
  for (const route of examplesInOrder(document)) {
    const isWritten = await sendExample(route);
    if (isWritten && IS_SETTING.test(route.path)) await note(idOf(route));
  }
  await note('an operation about something else');
}, 120_000);
afterAll(() => world.close());

/** As the page at /docs does. Returns whether it may have changed something. */
async function sendExample(route: Route): Promise<boolean> {
  const { method, path, headers, body } = exampleOf(route);
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ids.fill(value)]));
  const reply = await api.ask(method, ids.fill(path), body === undefined ? undefined : ids.fill(body), filled);
  if (reply.status === 200) ids.learn(method, route.path, reply.json());
  return reply.status === 200 && method !== 'GET' && !isSearch(route);
}

function isSearch({ path }: Route): boolean {
  return path.endsWith('/_search');
}

/** The effective values, without marks of who set them and when. */
async function settings(): Promise<Map<string, unknown>> {
  const answers = await Promise.all(SETTINGS.map((path) => api.call('GET', path)));
  return new Map(
    answers.flatMap((answer, index) => {
      const { details: _, isDefault: __, ...values } = (answer['policy'] ?? answer['org'] ?? answer) as Json;
      return Object.entries(values).map(([field, value]) => [`${SETTINGS[index]}.${field}`, value] as const);
    }),
  );
}

function differences(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)));
}

/** What a request with the example contains, wherever it stands in it. */
function fieldsOf(value: unknown, path = ''): Array<readonly [path: string, value: unknown]> {
  if (value === null || typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, `${path}.${name}`));
}

function bodyOf(route: Route): unknown {
  const { body } = exampleOf(route);
  return body === undefined ? {} : JSON.parse(body);
}

describe('The examples, sent one after the other to a fresh instance', () => {
  it('leave every policy as it is by default: they lower no protection, and lead to no other site', () => {
    expect(changes.filter((change) => !MEANT.some((pattern) => pattern.test(change)))).toEqual([]);
  });

  it('are really compared: operations whose whole purpose is a change show up', () => {
    expect(changes.filter((change) => MEANT.some((pattern) => pattern.test(change))).length).toBeGreaterThan(4);
  });
});

describe('The examples', () => {
  it('create no account with a password that everybody can read here', () => {
    const adding = adminRoutesOf(document).filter((route) => /^(Add|SetUp|Import)[A-Z]/.test(idOf(route)));
    const known = adding.flatMap((route) =>
      fieldsOf(bodyOf(route))
        .filter(([path, value]) => /\.(password|initialPassword)$/.test(path) && value !== '')
        .map(([path]) => `${idOf(route)}${path}`),
    );
    expect(known).toEqual([]);
  });

  it('set texts in no language, so that users who read another one do not get them in the wrong one', () => {
    const setting = adminRoutesOf(document).filter(({ method, path }) => method === 'PUT' && path.includes('/text/'));
    expect(setting.length).toBeGreaterThan(20);
    const words = setting.flatMap((route) =>
      fieldsOf(bodyOf(route)).map(([, value]) => String(value).replace(/\{\{\.\w+\}\}|name@example\.com/g, '')),
    );
    expect(words.filter((text) => /\p{L}/u.test(text))).toEqual([]);
  });

  it('list everything: a filter would hide what was just made', () => {
    const lists = adminRoutesOf(document).filter(isSearch);
    const filtered = lists.filter((route) =>
      fieldsOf(bodyOf(route)).some(([path]) => !/^\.(query\..*|sortingColumn|limit)$/.test(path) && path !== ''),
    );
    // Among the users of all organizations, one always looks for somebody.
    expect(filtered.map(idOf)).toEqual(['ListAllUsers']);
  });
});
