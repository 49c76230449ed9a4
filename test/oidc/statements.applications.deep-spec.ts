import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { SessionService } from '../../src/session/session.service.js';
import { LogoutWorker } from '../../src/token/logout/logout-worker.js';
import { pageOf } from '../login/turns.js';
import { signAssertion } from '../support/assertion.js';
import { Browser } from '../support/browser.js';
import { makeKey, type TestPerson } from '../support/builders.js';
import { DocumentServer } from '../support/document-server.js';
import { send } from '../support/http.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { LogoutStage } from './logout-stage.js';

let world: World;
let alice: TestPerson;
let server: DocumentServer;
let receiver: LogoutReceiver;

beforeAll(async () => {
  server = await DocumentServer.start();
  receiver = await LogoutReceiver.open();
  world = await startWorld({ env: server.env });
  server.resolveIn(world);
  alice = await world.cast.alice;
  await new RelyingParty(world, await world.cast.web1).tokens(alice); // whatever is read once for all
});
afterAll(async () => {
  await world.close();
  await server.close();
  await receiver.close();
});

async function namesOf(work: () => Promise<unknown>): Promise<string[]> {
  await world.changesToArrive();
  const names = (await statementsDuring(work)).map((text) => text.split(':')[0]!.slice(0, 80));
  return names.filter((name) => !/^(?:purge\.|attempt\.forgive|job\.fail_lost)/.test(name));
}

async function partyOf(settings: Partial<ClientSettings>): Promise<RelyingParty> {
  const client = await world.add.client({ projectId: await world.cast.projectP, ...settings });
  await world.changesToArrive(); // that of the application itself would make it be read again
  return new RelyingParty(world, client);
}

describe('SQL statements for an application', () => {
  it('whose keys are at an address: none for them, fetched or not; one for the single use of an assertion', async () => {
    const { publicJwk, ...key } = await makeKey('ES256');
    const kid = 'published';
    const jwksUri = server.publish('/keys.json', { body: JSON.stringify({ keys: [{ ...publicJwk, kid }] }) });
    const { client } = await partyOf({ authMethod: 'private_key_jwt', jwksUri });
    await world.rows('DELETE FROM client_key WHERE client_row_id = $1', [client.id]);
    const ask = async (): Promise<void> => {
      const body = {
        token: 'none',
        client_assertion: await signAssertion(world, { ...key, publicJwk, kid }, client.clientId),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      };
      expect((await send(world.origin, { method: 'POST', path: paths.revoke, body })).status).toBe(200);
    };
    await ask();
    const before = server.requests.length;
    expect(await namesOf(ask)).toEqual(['assertion.spend']);
    expect(server.requests).toHaveLength(before);
    world.clock.advance('6m');
    expect(await namesOf(ask)).toEqual(['assertion.spend']);
    expect(server.requests).toHaveLength(before + 1);
  });

  it('that describes itself: none for its document, one row at the first consent, one a day for its use', async () => {
    const clientId = server.describe('/client.json');
    const client = { id: clientId, clientId, authMethod: 'none', responseType: 'code' } as const;
    const redirectUri = `${server.origin}/callback`;
    const rp = new RelyingParty(
      world,
      { ...client, redirectUri, secret: undefined, key: undefined },
      new Browser(world),
    );
    const ofClients = (names: readonly string[]): string[] => names.filter((name) => /client|project/.test(name));
    // Whether there is a row, which is remembered.
    expect(ofClients(await namesOf(() => rp.authorize()))).toEqual(['client.active', 'client.exists']);
    expect(ofClients(await namesOf(() => rp.authorize()))).toEqual([]);
    const page = pageOf(await rp.enter(await rp.authorize(), alice));
    const asked = page.find('button[name="factor"]') ? pageOf(await rp.browser.submit(page, { factor: 'skip' })) : page;
    const { code } = rp.toAnswer(await rp.browser.submit(asked, { decision: 'continue' }));
    expect(await world.rows('SELECT 1 FROM client WHERE client_id = $1', [clientId])).toHaveLength(1);
    const redeem = (of?: string) => async (): Promise<unknown> => tokensOf(await rp.redeem(of!));
    const writes = (names: readonly string[]): string[] => names.filter((name) => /^(?:code|client_use)\./.test(name));
    expect(writes(await namesOf(redeem(code)))).toEqual(['code.redeem', 'client_use.note']);
    const consented = async (): Promise<string | undefined> =>
      rp.toAnswer(await rp.browser.submit(pageOf(await rp.authorize()), { decision: 'continue' }))['code'];
    expect(await namesOf(redeem(await consented()))).toEqual(['code.redeem']);
    world.clock.advance('1d');
    const answer = pageOf(await rp.enter(await rp.authorize(), alice));
    const { code: next } = rp.toAnswer(await rp.browser.submit(answer, { decision: 'continue' }));
    expect(writes(await namesOf(redeem(next)))).toEqual(['code.redeem', 'client_use.note']);
  });

  it('that is told of the end of sessions: one for an answer with tokens, and one a call besides the claim', async () => {
    const settings = (): Partial<ClientSettings> => ({
      responseTypes: ['id_token', 'id_token token'],
      grantTypes: ['implicit'],
    });
    const plain = await partyOf(settings());
    const stage = new LogoutStage(world, receiver);
    const application = await stage.application(settings());
    await world.changesToArrive();
    const told = new RelyingParty(world, application.client, plain.browser);
    const ask = { response_type: 'id_token token', nonce: 'n' };
    await plain.signIn(alice, ask);
    await told.authorizeOnce(ask);
    await plain.authorizeOnce(ask);
    const without = await namesOf(() => plain.authorizeOnce(ask));
    const names = await namesOf(() => told.authorizeOnce(ask));
    expect(names.filter((name) => !without.includes(name))).toEqual(['session.remember_client']);
    expect(names).toHaveLength(without.length + 1);
    const [row] = await world.rows<{ session_id: string }>(
      'SELECT session_id FROM session_client WHERE client_id = $1',
      [application.client.clientId],
    );
    const ofTheEnd = await namesOf(async () => {
      await world.transaction((tx) => world.get(SessionService).end(tx, [row!.session_id]));
      await world.get(LogoutWorker).run();
    });
    expect(ofTheEnd.filter((name) => name.startsWith('logout_notice.'))).toEqual([
      'logout_notice.add',
      'logout_notice.delivered',
    ]);
    expect(receiver.calls(application.name)).toHaveLength(1);
  });
});
