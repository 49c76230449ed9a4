import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Request } from 'playwright-core';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { type How, startWebApplication, type Told, type WebApplication } from './procedures-application.js';
import { Window } from './window.js';

const MANAGEMENT = '/service.management.v1.ManagementService';

let browser: Browser;
let world: World;
let application: WebApplication;
let org: TestOrg;
let other: TestOrg;
let headers: Record<string, string>;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  [org, other] = [await world.add.org(), await world.add.org()];
  headers = { authorization: `Bearer ${(await callerWith(world, org, ['ORG_OWNER', 'IAM_OWNER'])).api.token}` };
  application = await startWebApplication(world.origin);
  // One page for all tests of a protocol: it loads hundreds of modules, and a call leaves nothing behind in it.
  window = await Window.open(browser);
  // What a person who is signed in here has: it must not travel to us from another site's script.
  await window.page.context().addCookies([{ name: 'session', value: 'of-this-browser', url: world.origin }]);
});
afterAll(async () => {
  await closeWindows();
  await application.close();
  await world.close();
});

/** In Connect a refusal has a status of HTTP, of which the browser makes a note. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d .*\.ManagementService\//;

afterEach(() => {
  expect(window.complaints.splice(0).filter((one) => !REFUSED.test(one))).toEqual([]);
});

async function openPage(protocol: 'grpc-web' | 'connect'): Promise<void> {
  await window.page.goto(`${application.origin}/${protocol}`);
  await window.page.waitForFunction(() => 'call' in globalThis);
}

async function call(service: string, method: string, message: object, how: How = {}): Promise<Told> {
  return window.page.evaluate(([...values]) => globalThis.call(...values), [service, method, message, how] as const);
}

describe.each(['connect', 'grpc-web'] as const)(
  'A client of %s in a browser on another origin, generated from the .proto files',
  (protocol) => {
    beforeAll(() => openPage(protocol));

    it('writes and reads with a token', async () => {
      const added = await call(
        'ManagementService',
        'addProject',
        { name: `From a browser by ${protocol}` },
        { headers },
      );
      expect(added).toEqual({
        answer: {
          id: expect.stringMatching(/^\d+$/) as unknown,
          details: expect.objectContaining({ resourceOwner: org.id }) as unknown,
        },
      });
      const { id } = added.answer!;
      expect(await call('ManagementService', 'getProjectByID', { id }, { headers })).toMatchObject({
        answer: { project: { id, name: `From a browser by ${protocol}`, state: 'PROJECT_STATE_ACTIVE' } },
      });
      expect(await call('AdminService', 'getOrgByID', { id: org.id }, { headers })).toMatchObject({
        answer: { org: { id: org.id } },
      });
      expect(await call('AuthService', 'listMyServicePermissions', {}, { headers })).toMatchObject({
        answer: { result: expect.arrayContaining(['org.read']) as unknown },
      });
    });

    it('names the organization that it is about', async () => {
      expect(
        await call('ManagementService', 'getMyOrg', {}, { headers: { ...headers, 'x-service-orgid': other.id } }),
      ).toMatchObject({ answer: { org: { id: other.id } } });
    });

    it('needs no token for what is open', async () => {
      expect(await call('AdminService', 'healthz', {})).toEqual({ answer: {} });
    });

    it('reads code, message and google.rpc.BadRequest of a refusal', async () => {
      const told = await call('ManagementService', 'addProject', { name: '' }, { headers });
      expect(told).toEqual({
        code: 3,
        message: expect.stringContaining('name: must have 1 to 200 characters') as unknown,
        errorDetail: [],
        badRequest: [
          { fieldViolations: [{ field: 'name', description: expect.stringContaining('1 to 200') as unknown }] },
        ],
      });
    });

    it('reads the stable id of a refusal', async () => {
      expect(await call('ManagementService', 'getProjectByID', { id: '1' }, { headers })).toMatchObject({
        code: 5,
        badRequest: [],
        errorDetail: [{ id: 'project.not_found', message: 'The project does not exist.' }],
      });
      expect(await call('ManagementService', 'getMyOrg', {})).toMatchObject({
        code: 16,
        errorDetail: [{ id: 'token.missing' }],
      });
    });

    it('reads a message that is not ASCII', async () => {
      const { id } = (await call('ManagementService', 'addProject', { name: `Letters by ${protocol}` }, { headers }))
        .answer!;
      const role = { projectId: id, roleKey: 'Größe 大', displayName: 'Size' };
      expect(await call('ManagementService', 'addProjectRole', role, { headers })).toHaveProperty('answer');
      expect((await call('ManagementService', 'addProjectRole', role, { headers })).message).toContain('Größe 大');
    });

    it('keeps to its deadline, and may give up', async () => {
      expect(await call('ManagementService', 'getMyOrg', {}, { headers, timeoutMs: 60_000 })).toHaveProperty('answer');
      expect(
        await call('ManagementService', 'addProject', { name: `Given up by ${protocol}` }, { headers, abort: true }),
      ).toMatchObject({ code: 1 });
    });
  },
);

describe('CORS of gRPC-web', () => {
  it('is open to every origin, without credentials of the browser', async () => {
    const requests: Request[] = [];
    window.page.on('request', (request) => requests.push(request));
    expect(await call('ManagementService', 'getMyOrg', {}, { headers })).toHaveProperty('answer');
    const sent = requests.find((request) => request.url() === `${world.origin}${MANAGEMENT}/GetMyOrg`)!;
    const [asked, answered] = [await sent.allHeaders(), await (await sent.response())!.allHeaders()];
    expect(asked).toMatchObject({
      origin: application.origin,
      'content-type': 'application/grpc-web+proto',
      authorization: headers['authorization'],
    });
    expect(asked).not.toHaveProperty('cookie');
    expect(answered).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/grpc-web+proto',
    });
    expect(answered['access-control-expose-headers']!.split(', ')).toEqual(
      expect.arrayContaining(['grpc-status', 'grpc-message', 'grpc-status-details-bin']),
    );
    expect(answered).not.toHaveProperty('access-control-allow-credentials');
  });

  it('lets no script read an answer to which it lent the cookies', async () => {
    const outcome = await window.page.evaluate(
      (url) =>
        fetch(url, {
          method: 'POST',
          credentials: 'include',
          headers: { 'Content-Type': 'application/grpc-web+proto' },
          body: new Uint8Array(5),
        }).then(
          () => 'read',
          () => 'kept back',
        ),
      `${world.origin}${MANAGEMENT}/GetMyOrg`,
    );
    expect(outcome).toBe('kept back');
    expect(window.complaints.splice(0).join()).toMatch(/credentials|CORS/);
  });

  it('lets a script read a status that comes in the headers, and a refusal of HTTP', async () => {
    const read = await window.page.evaluate(async (origin) => {
      const post = (path: string, type: string): Promise<Response> =>
        fetch(`${origin}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': type, 'X-Grpc-Web': '1' },
          body: new Uint8Array(5),
        });
      const unknown = await post('/service.management.v1.ManagementService/Nothing', 'application/grpc-web+proto');
      const text = await post('/service.management.v1.ManagementService/GetMyOrg', 'application/grpc-web-text');
      return [unknown.status, unknown.headers.get('grpc-status'), unknown.headers.get('grpc-message'), text.status];
    }, world.origin);
    expect(read).toEqual([200, '12', 'The operation does not exist.', 415]);
    window.complaints.splice(0, 1); // the browser notes the refusal that was asked for
  });
});
