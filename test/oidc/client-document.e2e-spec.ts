import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { EMPTY_LISTS } from '../admin/project-support.js';
import { pageOf } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { DocumentServer } from '../support/document-server.js';
import { send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';
import { ClientDocumentStage } from './client-document-stage.js';

const FILES = 'https://files.example.test/mcp';

let stage: ClientDocumentStage;
let server: DocumentServer;
let world: World;
let alice: TestPerson;

beforeAll(async () => {
  stage = await ClientDocumentStage.set();
  ({ server, world, alice } = stage);
  const projectId = await world.cast.projectP;
  await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, [FILES], EDITOR));
});
afterAll(() => stage.close());

describe('An application whose client ID is the address of a document', () => {
  it('signs a user in who consents to what it says of itself, with PKCE and a refresh token', async () => {
    const clientId = server.describe(stage.newPath(), { grant_types: ['authorization_code', 'refresh_token'] });
    const rp = stage.rpOf(clientId);
    const page = pageOf(await rp.enter(await rp.authorize({ scope: 'openid offline_access', resource: FILES }), alice));
    for (const shown of ['Shop assistant', 'This has not been verified.', `Described by${server.host}`, FILES])
      expect(page.text).toContain(shown);
    expect(page.text).not.toContain('another program');
    expect(await stage.rowsOf(clientId)).toEqual([]);
    const { code, iss } = rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }));
    expect(iss).toBe(world.issuer);
    expect(await stage.rowsOf(clientId)).toMatchObject([{ origin: 'document' }]);
    const tokens = tokensOf(await rp.redeem(code!));
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: [FILES], client_id: clientId, sub: alice.id });
    expect((await rp.userinfo(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
    expect(tokensOf(await rp.refresh(tokens.refresh_token)).access_token).toBeDefined();
  });

  it('is unknown unless the operator names its host, and nothing is fetched [CMD-001]', async () => {
    const off = await startWorld({ replicaOf: world, env: { OUTBOUND_ALLOW: '127.0.0.1' } });
    server.resolveIn(off);
    const path = stage.newPath();
    const rp = stage.rpOf(server.describe(path)).goTo(off);
    expect(pageOf(await rp.authorize()).status).toBe(400);
    expect(server.requests).not.toContain(path);
    const discovery = async (at: World) => (await at.discovery())['client_id_metadata_document_supported'];
    expect([await discovery(off), await discovery(world)]).toEqual([undefined, true]);
    await off.close();
  });

  it.each<[string, (path: string) => string]>([
    ['another client ID', (path) => server.describe(path, { client_id: `${server.origin}/other.json` })],
    ['a redirect URI of another host', (path) => server.describe(path, { redirect_uris: ['https://evil.test/cb'] })],
    ['a secret', (path) => server.describe(path, { client_secret: 'x' })],
  ])('is refused with a page for %s, leaves no row, and is read again [CMD-003]', async (_, publish) => {
    const path = stage.newPath();
    const clientId = publish(path);
    expect(await stage.statusOf(clientId)).toBe(400);
    expect(await stage.rowsOf(clientId)).toEqual([]);
    server.describe(path);
    expect(await stage.statusOf(clientId)).toBe(200);
  });

  it('may name a logo of a private host, which is neither fetched nor shown [CMD-004]', async () => {
    const logo = `https://127.0.0.1:${new URL(server.origin).port}/logo.png`;
    const rp = stage.rpOf(server.describe(stage.newPath(), { logo_uri: logo }));
    const page = pageOf(await rp.enter(await rp.authorize(), alice));
    expect(page.text).toContain('Shop assistant');
    expect(page.reply.text).not.toContain('/logo.png');
    expect(server.requests).not.toContain('/logo.png');
  });

  it('may have new redirect URIs once its document has left the cache, and asks again [CMD-006]', async () => {
    const path = stage.newPath();
    const clientId = server.describe(path, {}, { 'Cache-Control': 'max-age=120' });
    await stage.codeOf(stage.rpOf(clientId));
    const moved = `${server.origin}/moved`;
    server.describe(path, { redirect_uris: [moved] });
    expect(await stage.statusOf(clientId, moved)).toBe(400);
    world.clock.advance('121s');
    const rp = stage.rpOf(clientId, moved);
    expect(tokensOf(await rp.redeem(await stage.codeOf(rp))).access_token).toBeDefined();
    expect(await stage.statusOf(clientId)).toBe(400);
    expect(await stage.rowsOf(clientId)).toMatchObject([{ redirect_uris: [moved] }]);
  });

  it('asks for consent each time, and never answers prompt=none', async () => {
    const rp = stage.rpOf(server.describe(stage.newPath()));
    await stage.codeOf(rp);
    const again = await rp.authorize();
    expect(again.page?.title).toContain('Continue to Shop assistant?');
    expect(answerOf((await rp.authorize({ prompt: 'none' })).redirect!)['error']).toBe('consent_required');
    const cancelled = await rp.browser.submit(pageOf(again), { decision: 'cancel' });
    expect(answerOf(cancelled.redirect!)['error']).toBe('access_denied');
  });

  it('has one row after six first consents at once [CMD-007]', async () => {
    const clientId = server.describe(stage.newPath());
    const others = Array.from({ length: 6 }, () => stage.rpOf(clientId));
    const pages: Page[] = [];
    for (const rp of others) pages.push(pageOf(await rp.enter(await rp.authorize(), alice)));
    const ends = await Promise.all(others.map((rp, n) => rp.browser.submit(pages[n]!, { decision: 'continue' })));
    expect(await stage.rowsOf(clientId)).toHaveLength(1);
    for (const [n, rp] of others.entries()) expect((await rp.redeem(rp.toAnswer(ends[n]!)['code']!)).status).toBe(200);
  });

  it('may have pushed its requests before the first user consented [PAR-010]', async () => {
    const rp = stage.rpOf(server.describe(stage.newPath()));
    const pushed = async (): Promise<string> => {
      const reply = await rp.post('/oauth/v2/par', rp.parameters());
      return `${paths.authorize}?${new URLSearchParams({ client_id: rp.client.clientId, request_uri: reply.json<{ request_uri: string }>().request_uri })}`;
    };
    const [first, second] = [await pushed(), await pushed()];
    const page = pageOf(await rp.enter(await rp.browser.get(first), alice));
    tokensOf(await rp.redeem(rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }))['code']!));
    await world.changesToArrive();
    const again = pageOf(await rp.browser.get(second));
    expect(again.status).toBe(200);
    tokensOf(await rp.redeem(rp.toAnswer(await rp.browser.submit(again, { decision: 'continue' }))['code']!));
    await world.rows('DELETE FROM client WHERE client_id = $1', [rp.client.clientId]);
  });

  it('is held to what its document demands (RFC 9449 §5.2, RFC 9126 §6)', async () => {
    const demands = { dpop_bound_access_tokens: true, require_pushed_authorization_requests: true };
    const rp = stage.rpOf(server.describe(stage.newPath(), demands));
    expect(answerOf((await rp.authorize()).redirect!)['error']).toBe('invalid_request');
    const path = stage.newPath();
    const bound = stage.rpOf(server.describe(path, { dpop_bound_access_tokens: true }));
    const code = await stage.codeOf(bound);
    expect((await bound.redeem(code)).json()).toMatchObject({ error: 'invalid_dpop_proof' });
    const prover = await Prover.make(world);
    expect(tokensOf(await bound.redeem(code, {}, world, await prover.forTokens())).token_type).toBe('DPoP');
    const elsewhere = { backchannel_logout_uri: 'https://evil.test/logout' };
    expect(await stage.statusOf(server.describe(stage.newPath(), elsewhere))).toBe(400);
  });

  it('that only returns to the device may use any port, and the user is warned [CMD-008]', async () => {
    const clientId = server.describe(stage.newPath(), {
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/cb'],
    });
    const rp = stage.rpOf(clientId, 'http://127.0.0.1:49152/callback');
    const page = pageOf(await rp.enter(await rp.authorize(), alice));
    expect(page.text).toContain('another program could pretend to be it');
    expect(page.text).toContain('Returns to127.0.0.1:49152');
    expect(await stage.statusOf(clientId, 'http://127.0.0.1:49152/other')).toBe(400);
  });

  it('refreshes its tokens after its document is gone, until it is blocked [CMD-009]', async () => {
    const path = stage.newPath();
    const clientId = server.describe(path, { grant_types: ['authorization_code', 'refresh_token'] });
    const rp = stage.rpOf(clientId);
    const code = await stage.codeOf(rp, { scope: 'openid offline_access' });
    const first = tokensOf(await rp.redeem(code));
    server.publish(path, { status: 410, body: '' });
    world.clock.advance('2h');
    const second = tokensOf(await rp.refresh(first.refresh_token));
    expect(await stage.statusOf(clientId)).toBe(400);
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const [{ id, project_id: projectId }] = (await world.rows<{ id: string; project_id: string }>(
      'SELECT id, project_id FROM client WHERE client_id = $1',
      [clientId],
    )) as [{ id: string; project_id: string }];
    const app = `/management/v1/projects/${projectId}/apps/${id}`;
    expect((await admin.ask('GET', app)).json()).toMatchObject({
      app: { name: clientId, oidcConfig: { origin: 'APP_ORIGIN_DOCUMENT', clientId, consentPage: true } },
    });
    expect(await admin.verdict('PUT', app, { name: 'Renamed' })).toBe('400 client.described_elsewhere');
    expect(await admin.verdict('PUT', `${app}/oidc_config`, EMPTY_LISTS)).toBe('400 client.described_elsewhere');
    expect((await admin.ask('POST', `${app}/_deactivate`, {})).status).toBe(200);
    await world.changesToArrive();
    expect((await rp.refresh(second.refresh_token)).json()).toMatchObject({ error: 'invalid_client' });
    expect((await rp.userinfo(second.access_token)).status).toBe(401);
    server.describe(path);
    expect(await stage.statusOf(clientId)).toBe(400);
  });

  it('gets no roles, no audience of others and no implicit answer, and must use PKCE', async () => {
    const clientId = server.describe(stage.newPath());
    const rp = stage.rpOf(clientId);
    const scope =
      'openid email urn:service:iam:org:project:id:service:aud urn:service:iam:org:projects:roles urn:service:iam:user:metadata';
    const tokens = tokensOf(await rp.redeem(await stage.codeOf(rp, { scope })));
    expect(tokens.scope).toBe('openid email');
    expect(decodeJwt(tokens.access_token).aud).toEqual([clientId]);
    expect(answerOf((await rp.authorize({ response_type: 'id_token' })).redirect!)['error']).toBe(
      'unauthorized_client',
    );
    const without = await rp.authorize({ code_challenge: undefined, code_challenge_method: undefined });
    expect(answerOf(without.redirect!)['error']).toBe('invalid_request');
  });

  it('cannot redeem before anybody has consented', async () => {
    const rp = stage.rpOf(server.describe(stage.newPath()));
    expectToken400(await rp.redeem('gtc_none'), 'invalid_grant');
  });

  it('costs no statement beyond those of any application once its document is cached', async () => {
    const rp = stage.rpOf(server.describe(stage.newPath()));
    await stage.codeOf(rp);
    await world.changesToArrive();
    await rp.authorizeOnce();
    const statements = await statementsDuring(async () => rp.authorizeOnce());
    expect(statements.filter((text) => /\bclient\b|project|instance/.test(text.split(':')[0] ?? ''))).toEqual([]);
  });

  it('is removed after 30 days without use, with its tokens', async () => {
    const [used, unused] = [server.describe(stage.newPath()), server.describe(stage.newPath())];
    const rp = stage.rpOf(used);
    tokensOf(await rp.redeem(await stage.codeOf(rp)));
    const other = stage.rpOf(unused);
    tokensOf(await other.redeem(await stage.codeOf(other)));
    world.clock.advance('20d');
    tokensOf(await rp.redeem(await stage.codeOf(rp)));
    world.clock.advance('12d');
    await world.get(HousekeepingService).run();
    expect([await stage.rowsOf(used), await stage.rowsOf(unused)]).toMatchObject([[{ origin: 'document' }], []]);
    expect(
      await world.rows(`SELECT 1 FROM event WHERE type = 'client.unused.removed' AND payload->>'clientId' = $1`, [
        unused,
      ]),
    ).toHaveLength(1);
    tokensOf(await other.redeem(await stage.codeOf(other)));
  });
});

describe('An application that an administrator has registered under an address', () => {
  it('stays what it is: no document is read', async () => {
    const path = stage.newPath();
    server.describe(path);
    const clientId = server.origin + path;
    const client = await world.add.client({ projectId: await world.cast.projectP, clientId });
    const rp = new RelyingParty(world, client);
    expect(tokensOf(await rp.redeem(await rp.code(alice))).access_token).toBeDefined();
    expect(server.requests).not.toContain(path);
    expect((await send(world.origin, { path: paths.discovery })).status).toBe(200);
  });
});
