import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TAGS } from '../../src/admin/kit/tags.js';
import { ApiDocument } from '../../src/docs/api-document.js';
import { RouteTable } from '../../src/foundation/http/route-table.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly security?: ReadonlyArray<Record<string, unknown>>;
  readonly responses: Readonly<
    Record<
      string,
      {
        content?: Record<
          string,
          { schema?: unknown; example?: unknown; examples?: Record<string, { value: unknown }> }
        >;
      }
    >
  >;
  readonly parameters?: ReadonlyArray<{
    name: string;
    in: string;
    description?: string;
    example?: unknown;
    schema?: { example?: unknown };
  }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly 'x-permission'?: string;
}

interface Document {
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly tags: ReadonlyArray<{ name: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Record<string, unknown>; readonly securitySchemes: Record<string, unknown> };
}

/** Routes for people and for the operator of the process, and inner steps: not an interface for programs. */
const UNDOCUMENTED = [
  /^\/ui\/(?:login|account|admin)(\/|$)/,
  /^\/\.well-known\/(change-password|passkey-endpoints)$/,
  /^\/$/,
  /^\/dev\/(mail(\/|$)|entrance\.css$)/,
  /^\/docs(-json|-yaml|\/|$)/,
  /^\/health\//,
  /^\/oauth\/v2\/authorize\/(callback|form-post\.js)$/,
];

/** Of OpenID Connect and OAuth, with values that the standards list. */
const PROTOCOL_SCHEMAS = ['TokenResult', 'Introspection', 'KeySet', 'ClientMetadata', 'ClientRegistration'];

let world: World;
let document: Document;
let operations: Array<readonly [string, Operation]>;

beforeAll(async () => {
  world = await startWorld({ publicUrl: 'http://localhost:3000' });
  document = (await world.get(ApiDocument).get()) as unknown as Document;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
});
afterAll(() => world.close());

describe('openapi.json', () => {
  it('describes this service: if not, run "npm run openapi" and commit it', () => {
    const token = join(world.config.firstStart.dataDir, 'admin.pat');
    const described = JSON.stringify(document).replace(token, '.data/admin.pat'); // the default DATA_DIR
    const committed: unknown = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
    expect(isDeepStrictEqual(committed, JSON.parse(described))).toBe(true);
  });

  it('is what a service shows at /docs-json, but for ids of its own in the examples', async () => {
    const shown = (await send(world.origin, { path: '/docs-json' })).text;
    const withoutIds = (text: string): string => text.replace(/\d{18,19}/g, '…');
    expect(withoutIds(shown)).toBe(withoutIds(JSON.stringify(document)));
  });

  it('documents every route, and only existing routes', () => {
    const routes = world
      .get(RouteTable)
      .routes.filter(({ path }) => !UNDOCUMENTED.some((pattern) => pattern.test(path)))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(([name]) => name).sort()).toEqual([...new Set(routes)].sort());
  });

  it('lets no schema have the name that generators give to the answer of an operation (oapi-codegen)', () => {
    const ids = operations.map(([, { operationId }]) => operationId ?? '');
    expect(ids.filter((id) => `${id}Response` in document.components.schemas)).toEqual([]);
  });

  it('has no two paths that differ in nothing but the names of their parameters: OpenAPI 3.0 §4.7.8.2', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });

  it('names each operation by a verb and a noun, once', () => {
    const ids = operations.map(([, { operationId }]) => operationId ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    const verbs =
      'Get|List|Is|Add|Set|SetUp|Create|Generate|Regenerate|Import|Update|Activate|Deactivate|Reactivate|Register|Lock|Unlock|Validate|Verify|Test|Preview|Explain|Export|Resend|Send|Retry|Replay|Cancel|Reset|Remove|Delete|BulkAdd|BulkSet|BulkRemove|Start|Post|Issue|Introspect|Revoke|End|PasswordReset|Pull|Plan|Apply';
    // The last one has the name of the described system.
    expect(ids.filter((id) => !new RegExp(`^(${verbs})([A-Z][A-Za-z0-9]*)+$`).test(id))).toEqual([
      'HumanMFAInitSkippedV2',
    ]);
  });

  it('describes each operation, with its tag and its responses', () => {
    for (const [name, { summary, tags, responses }] of operations) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].{10,}[^.]$/)]);
      expect([name, tags]).toEqual([name, [expect.any(String)]]);
      expect([name, Object.keys(responses).length]).toEqual([name, expect.any(Number)]);
      expect(Object.keys(responses).some((status) => /^[23]/.test(status))).toBe(true);
    }
  });

  it('gives each JSON refusal a body as an example', () => {
    for (const [name, { responses }] of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const json = content?.['application/json'];
        if (!json || /^2/.test(status)) continue;
        const examples = json.examples ? Object.values(json.examples).map(({ value }) => value) : [json.example];
        expect([name, status, examples.length]).not.toEqual([name, status, 0]);
        for (const example of examples) expect([name, status, example]).toEqual([name, status, expect.any(Object)]);
      }
    }
  });

  it('documents the permission of each administrative operation, and the credentials', () => {
    for (const { method, path, access } of world.get(RouteTable).routes) {
      if (access?.kind !== 'permission') continue;
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
      expect(operation['x-permission']).toBe(access.permission);
      expect(operation.security).toEqual([
        { oauth2: ['openid', 'urn:service:iam:org:project:id:service:aud'] },
        { token: [] },
      ]);
      const forbidden = access.permission === 'authenticated' ? [] : ['403'];
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['200', '401', '429', 'default', ...forbidden]),
      );
    }
  });

  it('documents the place of each field of a request: the path, the query, or the body', () => {
    for (const [name, { parameters = [], requestBody }] of operations) {
      const inPath = parameters.filter(({ in: place }) => place === 'path').map((parameter) => parameter.name);
      expect([name, inPath.sort()]).toEqual([name, [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort()]);
      if (name.startsWith('GET ')) expect([name, requestBody]).toEqual([name, undefined]);
      const body = requestBody?.content['application/json'];
      if (body) expect([name, body.example]).toEqual([name, expect.any(Object)]);
      for (const parameter of parameters.filter(({ in: place }) => place === 'query')) {
        expect([name, parameter.name, parameter.description]).toEqual([name, parameter.name, expect.any(String)]);
      }
    }
  });

  it('names the header of the organization where it counts: at the operations of one', () => {
    const named = operations
      .filter(([, { parameters = [] }]) =>
        parameters.some(({ in: place, name }) => place === 'header' && name === 'x-service-orgid'),
      )
      .map(([name]) => name);
    const unnamed = operations
      .map(([name]) => name)
      .filter((name) => name.includes(' /management/') && !named.includes(name));
    expect(unnamed.sort()).toEqual([
      'GET /management/v1/healthz',
      'GET /management/v1/iam',
      'GET /management/v1/languages',
    ]);
    expect(named.filter((name) => name.includes(' /admin/'))).toEqual([]);
  });

  it('shows the resources in the order of the tags, and no tag twice', () => {
    const tags = document.tags.map(({ name }) => name);
    expect(new Set(tags).size).toBe(tags.length);
    expect(tags.slice(0, Object.keys(TAGS).length)).toEqual(Object.keys(TAGS));
    for (const [name, { tags: [tag = ''] = [] }] of operations)
      expect([name, tags]).toEqual([name, expect.arrayContaining([tag])]);
  });

  it('has groups of at most 40 operations, each in one section', () => {
    const groups = Map.groupBy(operations, ([, { tags = [] }]) => tags[0]);
    for (const [tag, inGroup] of groups) expect([tag, inGroup.length > 40]).toEqual([tag, false]);
    const { 'x-tagGroups': sections } = document as unknown as { 'x-tagGroups': Array<{ tags: string[] }> };
    const inSections = sections.flatMap(({ tags }) => tags);
    expect(inSections).toEqual(document.tags.map(({ name }) => name));
  });

  it('says of each deprecated operation which one to use instead', () => {
    const silent = operations.filter(
      ([, { deprecated, description }]) =>
        deprecated === true && !/\*\*Use \[\w+\]\(#\/.*instead/.test(description ?? ''),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('says of each operation that offers an identity provider whether it tests it first', () => {
    const said = Object.fromEntries(
      operations.map(([, { operationId, description = '' }]) => [operationId, description]),
    );
    for (const [word, suffix] of [
      ['', ''],
      ['Org', 'OfOrg'],
    ]) {
      for (const [type, tested] of [
        ['OIDC', `AddGenericOIDCProvider${suffix}`],
        ['JWT', `AddJWTProvider${suffix}`],
      ] as const) {
        expect(said[`Add${word}${type}IDP`]).toMatch(/offered on the login page immediately and untested/);
        expect(said[`Add${word}${type}IDP`]).toContain(`**Use [${tested}](`);
        expect(said[tested]).toMatch(/If a check fails, the provider is stored inactive/);
      }
      expect(said[`Reactivate${word}IDP`]).toMatch(/It is not tested: test its configuration first/);
    }
  });

  it('knows where to read what an update would replace, unless that is a picture or a password, or it replaces nothing, or the path does not say what', () => {
    const blind = operations.filter(
      ([name, operation]) => name.startsWith('PUT ') && operation.requestBody && !('x-current' in operation),
    );
    expect(
      blind
        .map(([name]) => name)
        .filter(
          (name) =>
            !/\/policies\/label\/(logo|icon)(_dark)?$|\/(me|smtp\/\{id\})\/password$|\/email\/smtp\/\{id\}$|^PUT \/v2\/(users\/human\/|settings\/hosted_login_translation)|\/(restrictions|v2\/features\/(system|instance))$/.test(
              name,
            ),
        ),
    ).toEqual([]);
  });

  it('gives each enumeration of the administrative API a name', () => {
    const inline = Object.entries(document.components.schemas).filter(([name, schema]) => {
      const { properties = {} } = schema as { properties?: Record<string, unknown> };
      return !PROTOCOL_SCHEMAS.includes(name) && JSON.stringify(properties).includes('"enum":');
    });
    expect(inline.map(([name]) => name)).toEqual([]);
  });

  it('gives each path parameter an example that works', async () => {
    for (const [name, { parameters = [] }] of operations) {
      for (const parameter of parameters.filter(({ in: place }) => place === 'path')) {
        expect([name, parameter.name, parameter.example ?? parameter.schema?.example]).toEqual([
          name,
          parameter.name,
          expect.any(String),
        ]);
      }
    }
  });

  it('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(0);
    for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name);
    const schemes = operations.flatMap(([, { security = [] }]) => security.flatMap((one) => Object.keys(one)));
    for (const name of schemes) expect(Object.keys(document.components.securitySchemes)).toContain(name);
  });
});

describe('/docs', () => {
  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/docs.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/oauth2-redirect.html', 'text/html; charset=utf-8'],
  ])('%s has no script in the page, and none from elsewhere [LOG-009]', async (path, type) => {
    const reply = await send(world.origin, { path });
    expect([reply.status, reply.header('content-type')]).toEqual([200, type]);
    expect(reply.header('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(reply.header('content-security-policy')).not.toMatch(/unsafe|\*/);
  });

  it.each([
    '/docs/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/constructor',
    '/docs/%00',
    '/docs/a/b',
  ])('answers 404 at %s [LOG-022, OPS-010]', async (path) => {
    expect((await send(world.origin, { path })).status).toBe(404);
  });

  it('shows previews in a frame without an origin, in which only its own script runs', async () => {
    const reply = await send(world.origin, { path: '/docs/preview.html' });
    expect(reply.header('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*sandbox allow-scripts$/,
    );
    expect(reply.header('x-frame-options')).toBe('SAMEORIGIN');
  });

  it('compresses what it sends, and sends it once', async () => {
    const { text } = await send(world.origin, { path: '/docs' });
    const [, asset] = /href="(\/docs\/assets\/[\w-]+\/swagger-ui\.css)"/.exec(text)!;
    const headers = { 'accept-encoding': 'gzip, br' };
    const styles = await send(world.origin, { path: asset!, headers });
    expect(styles.header('content-encoding')).toBe('br');
    expect(styles.header('cache-control')).toBe('public, max-age=31536000, immutable');
    const first = await send(world.origin, { path: '/docs-json', headers: { 'accept-encoding': 'gzip, br;q=0' } });
    expect(first.header('content-encoding')).toBe('gzip');
    const again = { 'if-none-match': first.header('etag')! };
    expect(await send(world.origin, { path: '/docs-json', headers: again })).toMatchObject({ status: 304, text: '' });
  });

  it('starts Authorize with the registered client', async () => {
    expect((await send(world.origin, { path: '/docs/settings.json' })).json()).toEqual({
      publicUrl: 'http://localhost:3000',
      redirectUrl: 'http://localhost:3000/docs/oauth2-redirect.html',
      clientId: 'swagger',
      scopes: ['openid', 'urn:service:iam:org:project:id:service:aud'],
    });
  });
});
