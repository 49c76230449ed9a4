import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { type Arrival, Browser } from '../support/browser.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';
import { DESK, DeskProtocol, desk } from './desk-sign-in.js';

let world: World;
let org: TestOrg;
let owner: AdminApi;
let projectId: string;
let application: string;
let alice: TestPerson;
let browser: Browser;

beforeAll(async () => {
  world = await startWorld({ extensions: [desk] });
  org = await world.add.org();
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  projectId = await world.add.project({ orgId: org.id }, ['reader', 'writer']);
  application = await added('Desk');
});
beforeEach(async () => {
  alice = await world.add.person({ orgId: org.id });
  browser = new Browser(world);
});
afterEach(() => {
  DeskProtocol.instead = undefined;
  DeskProtocol.turns = [];
});
afterAll(() => world.close());

async function added(name: string, project = projectId): Promise<string> {
  const reply = await owner.ask('POST', `/desk/${project}/applications`, { name });
  return reply.json<{ id: string }>().id;
}

const enter = (query = '', id = application): Promise<Arrival> => browser.get(`/desk/sign-in/${id}${query}`);

/** Fills in name and password, and declines what is only offered. */
async function signedIn(arrival: Arrival, person = alice): Promise<Arrival> {
  const past = await world
    .party({ authMethod: 'client_secret_basic' } as never)
    .enter.call({ browser, noted: (one: Arrival) => one }, arrival, person);
  const isOffer = past.page?.find('button[name="factor"][value="skip"]') != null;
  return isOffer ? browser.submit(past.page, { factor: 'skip' }) : past;
}

describe('A protocol of an extension', () => {
  it('has users signed in by our pages, and answers with who they are, their roles and groups', async () => {
    await world.add.grant(alice.id, projectId, org.id, ['writer', 'reader']);
    const begun = await enter('?ticket=7');
    expect(begun.page?.status).toBe(200);
    expect(begun.page?.text).toContain('Desk');
    const done = await signedIn(begun);
    expect(done.redirect).toBe(`${DESK}?user=${encodeURIComponent(alice.userName)}`);
    const [turn] = DeskProtocol.turns;
    expect(turn).toMatchObject({
      application: { id: application, name: 'Desk', projectId, orgId: org.id },
      state: { ticket: '7' },
      outcome: {
        kind: 'signed-in',
        signedIn: {
          user: { id: alice.id, orgId: org.id, userName: alice.userName, loginName: alice.loginName },
          amr: ['pwd'],
          acr: '1',
          roles: ['reader', 'writer'],
          groups: [],
        },
      },
    });
  });

  it('answers at once for a user who is signed in already, also in a form that sends itself', async () => {
    await signedIn(await enter());
    expect((await enter()).redirect).toContain('user=');
    const { page } = await enter('?form=1');
    expect(page?.forms.find(({ action }) => action === DESK)?.fields).toEqual({ user: alice.userName });
    expect(page?.reply.header('content-security-policy')).toContain("form-action 'self' https://desk.test");
  });

  it('learns why nobody is signed in, where no page may be shown', async () => {
    expect((await enter('?prompt=none')).redirect).toBe(`${DESK}?refused=login-required`);
    await signedIn(await enter());
    expect((await enter('?prompt=none')).redirect).toContain('user=');
    world.clock.advance('10m');
    expect((await enter('?prompt=none&age=60')).redirect).toBe(`${DESK}?refused=login-required`);
    expect((await enter('?prompt=login')).page?.find('input[name="password"]')).not.toBeNull();
  });

  it('learns that the user went back', async () => {
    const { page } = await enter();
    const back = page!.ways.find(({ to }) => to === '/ui/login/decline') ?? page!.ways.at(-1)!;
    const declined = await browser.post('/ui/login/decline', back.form?.fields ?? page!.formWith('csrf').fields);
    expect(declined.redirect).toBe(`${DESK}?refused=declined`);
  });

  it('never answers for a user whom the project does not admit', async () => {
    const closed = await world.add.project({ orgId: org.id, projectRoleCheck: true }, ['reader']);
    const its = await added('Closed', closed);
    const done = await signedIn(await enter('', its));
    expect(done.redirect).toBe(`${DESK}?refused=not-admitted`);
    await world.add.grant(alice.id, closed, org.id, ['reader']);
    expect((await enter('', its)).redirect).toContain('user=');
    const stranger = await world.add.person({ orgId: (await world.add.org()).id });
    const own = await world.add.project({ orgId: org.id, hasProjectCheck: true });
    browser = new Browser(world);
    expect((await signedIn(await enter('', await added('Own', own)), stranger)).redirect).toBe(
      `${DESK}?refused=not-admitted`,
    );
  });

  it('signs nobody in to an application that is inactive, removed, or not its own', async () => {
    const its = await added('Short-lived');
    const started = await enter('', its);
    await owner.call('POST', `/management/v1/projects/${projectId}/apps/${its}/_deactivate`, {});
    expect((await enter('', its)).page?.status).toBe(404);
    expect((await signedIn(started)).page?.status).toBeGreaterThanOrEqual(400);
    const foreign = await world.add.application({ org });
    expect((await enter('', foreign.id)).page?.status).toBe(404);
    expect((await enter('', foreign.clientId)).page?.status).toBe(404);
    expect(DeskProtocol.turns).toEqual([]);
  });

  it('is no application of OAuth: no endpoint serves it', async () => {
    const query = `client_id=${application}&redirect_uri=${encodeURIComponent(DESK)}&response_type=code&scope=openid`;
    expect((await browser.get(`/oauth/v2/authorize?${query}`)).page?.status).toBe(400);
    const token = await world.send({
      method: 'POST',
      path: '/oauth/v2/token',
      body: { grant_type: 'client_credentials', client_id: application, scope: 'openid' },
    });
    expect([400, 401]).toContain(token.status);
  });

  it('that fails or answers nothing shows a page, and signs nobody in anywhere', async () => {
    await signedIn(await enter());
    for (const instead of [() => Promise.reject(new Error('no key')), async () => undefined]) {
      DeskProtocol.instead = instead;
      const { status } = await sendUnchecked(world.origin, {
        path: `/desk/sign-in/${application}`,
        headers: { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      expect(status).toBe(503);
    }
  });

  it('signs out who is signed in in this browser, and nobody else', async () => {
    await signedIn(await enter());
    const bob = await world.add.person({ orgId: org.id });
    const refused = await browser.post('/desk/sign-out', { user: bob.id });
    expect([refused.page?.status, refused.page?.heading]).toEqual([400, 'This request is not valid']);
    expect((await browser.post('/desk/sign-out', { user: alice.id })).redirect).toBe(DESK);
    expect((await enter('?prompt=none')).redirect).toBe(`${DESK}?refused=login-required`);
  });

  it('knows the issuer', async () => {
    expect((await world.send({ path: '/desk/issuer' })).json()).toEqual({ issuer: world.issuer });
  });
});

describe('An application that an extension answers', () => {
  it('is made with rows of the extension or not at all, and shown among all others', async () => {
    const reply = await sendUnchecked(world.origin, {
      method: 'POST',
      path: `/desk/${projectId}/applications`,
      headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Half', fails: true }),
    });
    expect(reply.status).toBe(500);
    const its = await added('Whole');
    const { result } = await owner.call<{ result: Array<{ id: string; name: string; extension?: string }> }>(
      'POST',
      `/management/v1/projects/${projectId}/apps/_search`,
      {},
    );
    expect(result.filter(({ name }) => /^(Half|Whole)$/.test(name))).toMatchObject([{ id: its, extension: 'desk' }]);
  });

  it('is managed by who may manage applications there', async () => {
    const viewer = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
    const stranger = (await callerWith(world, await world.add.org(), ['ORG_OWNER'])).api;
    expect(await viewer.verdict('POST', `/desk/${projectId}/applications`, { name: 'x' })).toBe(
      '403 permission.missing',
    );
    expect(await stranger.verdict('POST', `/desk/${projectId}/applications`, { name: 'x' })).toBe(
      '404 project.not_found',
    );
    expect((await viewer.ask('GET', `/desk/${projectId}/applications/${application}`)).json()).toMatchObject({
      id: application,
      name: 'Desk',
      state: 'active',
    });
    const foreign = await world.add.application({ org });
    const [row] = await world.sql<{ project_id: string }>`SELECT project_id FROM client WHERE id = ${foreign.id}`;
    expect(await owner.verdict('DELETE', `/desk/${row!.project_id}/applications/${foreign.id}`)).toBe(
      '400 client.not_desk',
    );
    const its = await added('Going');
    expect(await owner.verdict('DELETE', `/desk/${projectId}/applications/${its}`)).toBe('200');
    expect(await world.sql`SELECT 1 FROM ext_desk.application WHERE client_id = ${its}`).toEqual([]);
  });
});
