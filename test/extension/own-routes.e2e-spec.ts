import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/foundation/config/environment.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { WORDS_OF_PRODUCT } from '../../src/foundation/extension/own-paths.js';
import { RouteTable } from '../../src/foundation/http/route-table.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { type Reply, sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { DeskController, desks } from './own-routes.js';

let world: World;
let org: TestOrg;
let other: TestOrg;
let owner: AdminApi;
let viewer: AdminApi;

beforeAll(async () => {
  world = await startWorld({ extensions: [desks] });
  [org, other] = [await world.add.org(), await world.add.org()];
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  viewer = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
});
afterEach(() => {
  DeskController.instead = undefined;
});
afterAll(() => world.close());

const desk = (orgId: string, rest = '7'): string => `/desks/v1/${orgId}/Desks/${rest}`;

async function visit(
  path: string,
  sent: { method?: string; body?: Record<string, string>; accept?: string } = {},
): Promise<Reply> {
  const { method = 'GET', body, accept } = sent;
  return sendUnchecked(world.origin, {
    method,
    path,
    ...(body && { body }),
    headers: accept === undefined ? {} : { Accept: accept },
  });
}

describe('A route of an extension at a path of its own', () => {
  it('serves who holds its permission in the organization that its path names', async () => {
    const reply = await viewer.ask('GET', desk(org.id));
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({ id: '7', orgId: org.id });
  });

  it('serves nobody without the permission there, whatever the header says', async () => {
    expect(await viewer.verdict('GET', desk(other.id))).toBe('403 permission.missing');
    expect(await viewer.about(org.id).verdict('GET', desk(other.id))).toBe('403 permission.missing');
    expect(await viewer.verdict('PATCH', desk(org.id), {})).toBe('403 permission.missing');
    expect((await visit(desk(org.id))).status).toBe(401);
    const iamOwner = (await callerWith(world, other, ['IAM_OWNER'])).api;
    expect(await iamOwner.verdict('GET', desk('no-such'))).toBe('404 org.not_found');
    expect((await iamOwner.ask('GET', desk(org.id))).json()).toMatchObject({ orgId: org.id });
  });

  it('takes methods, media types and bodies that operations do not', async () => {
    const typed = { 'Content-Type': 'application/desk+json' };
    expect((await owner.ask('PATCH', desk(org.id), { a: 1 }, typed)).json()).toEqual({ body: { a: 1 } });
    expect(await owner.verdict('PATCH', desk(org.id), '{"a":1,"a":2}')).toBe('400 a');
    expect((await owner.ask('PATCH', desk(org.id), 'x', { 'Content-Type': 'text/plain' })).status).toBe(400);
    const photo = await owner.ask('PUT', desk(org.id, '7/photo'), 'x'.repeat(1_000), { 'Content-Type': 'image/png' });
    expect([photo.status, photo.header('x-bytes')]).toEqual([204, '1000']);
    expect((await owner.ask('PUT', desk(org.id, '7/photo'), 'x'.repeat(1_001))).status).toBe(400);
  });

  it('answers with a page, a stream, or where to go next, under the headers of every answer', async () => {
    const plan = await visit('/desks/v1/plan');
    expect([plan.status, plan.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(plan.header('content-security-policy')).toContain("default-src 'none'");
    expect((await visit('/desks/v1/list.csv')).text).toBe('desk\n1\n');
    const booked = await visit('/desks/v1/book', { method: 'POST', body: { desk: '4 b' } });
    expect([booked.status, booked.location]).toEqual([303, '/desks/v1/plan?desk=4%20b']);
  });

  it('refuses in the form of the administrative API, or in its own', async () => {
    DeskController.instead = () => {
      throw new Error('secret of the house');
    };
    const broken = await sendUnchecked(world.origin, {
      method: 'PATCH',
      path: desk(org.id),
      headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(broken.status).toBe(500);
    expect(broken.json()).toMatchObject({ code: 13 });
    expect(broken.text).not.toContain('secret');
    const own = await visit('/desks/v1/broken/error');
    expect([own.status, own.text]).toEqual([500, '{"title":"internal"}']);
    expect((await visit('/desks/v1/broken/forbidden')).text).toBe('{"title":"desks.denied"}');
    expect((await visit('/desks/v1/book', { method: 'POST', body: { other: '1' } })).json()).toEqual({
      title: 'desks.no_desk',
    });
    const challenged = await visit('/desks/v1/behind');
    expect([challenged.status, challenged.text]).toEqual([401, '{"title":"token.missing"}']);
    expect(challenged.header('www-authenticate')).toContain('Bearer realm=');
    expect((await visit('/desks/v1/rest/of/it', { method: 'PUT' })).json()).toEqual({ title: 'desks.not_found' });
  });

  it('answers what it has not to programs in JSON, and to browsers with a page', async () => {
    expect((await visit('/desks/v1/nothing')).json()).toMatchObject({ code: 5 });
    const page = await visit('/desks/v1/nothing', { accept: 'text/html' });
    expect([page.status, page.header('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const other = await visit('/desks/v1/plan', { method: 'DELETE' });
    expect([other.status, other.header('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('ends at its limit, and the log names what was too slow', async () => {
    const reply = await sendUnchecked(world.origin, {
      method: 'DELETE',
      path: desk(org.id),
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    expect(reply.status).toBe(504);
    expect(world.logText()).toMatch(/"status":504.*|DeskController\.remove of the extension desks/);
  });

  it('is open to one address as often as to a company behind it, and no more', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 11; round += 1)
      for (const { status } of await Promise.all(Array.from({ length: 100 }, () => visit('/desks/v1/plan'))))
        statuses.add(status);
    expect([...statuses].sort()).toEqual([200, 429]);
  });

  it('is no part of the document of the administrative API', async () => {
    const { paths } = (await visit('/docs-json')).json<{ paths: Record<string, unknown> }>();
    expect(Object.keys(paths).filter((path) => path.includes('desks'))).toEqual([]);
  });
});

describe('Paths that an extension declares', () => {
  const mistakesOf = async (...paths: Array<{ id: string; paths: string[] }>): Promise<string> => {
    class Empty {}
    const extensions = paths.map((one) =>
      defineExtension({ ...one, version: '1.0.0', gatehouse: '*', module: { module: Empty } }),
    );
    const failed = await startWorld({ extensions }).catch((error: unknown) => error);
    if (!(failed instanceof ConfigError)) throw new Error('It has started.');
    return failed.message;
  };

  it('are not those of the product, nor of a form that Express would read otherwise', async () => {
    expect(await mistakesOf({ id: 'aa', paths: ['oauth/v3'] })).toContain("its first word is the product's");
    expect(await mistakesOf({ id: 'aa', paths: ['/desks', 'desks/:id', 'Desks', ''] })).toMatch(/contain 4 mistakes/);
  });

  it('cannot begin with the first word of any route of the product', () => {
    const words = world
      .get(RouteTable)
      .routes.filter(({ path }) => !path.startsWith('/desks/'))
      .map(({ path }) => path.split('/')[1]!)
      .filter((word) => /^[a-z][a-z0-9-]*$/.test(word));
    expect(words.filter((word) => !WORDS_OF_PRODUCT.includes(word))).toEqual([]);
  });

  it('are not those of another extension, whole or in part', async () => {
    expect(await mistakesOf({ id: 'aa', paths: ['desks'] }, { id: 'bb', paths: ['desks/v2'] })).toContain(
      'The extensions aa and bb both have the path desks.',
    );
  });
});
