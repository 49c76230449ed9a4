import { pageOf } from '../login/turns.js';
import { Browser } from '../support/browser.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { DocumentServer } from '../support/document-server.js';
import type { Parameters } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/** Applications whose client ID is the address of a document, on a server of the internet. */
export class ClientDocumentStage {
  private count = 0;

  private constructor(
    readonly world: World,
    readonly server: DocumentServer,
    readonly alice: TestPerson,
  ) {}

  static async set(): Promise<ClientDocumentStage> {
    const server = await DocumentServer.start();
    const world = await startWorld({ env: server.env, loginLimits: 'on' });
    server.resolveIn(world);
    return new ClientDocumentStage(world, server, await world.cast.alice);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.server.close();
  }

  newPath(): string {
    this.world.clock.advance('2s'); // the rate of a host is not what most tests are about
    return `/client-${(this.count += 1)}.json`;
  }

  rpOf(clientId: string, redirectUri = `${this.server.origin}/callback`): RelyingParty {
    const client: TestClient = {
      id: clientId,
      clientId,
      authMethod: 'none',
      redirectUri,
      responseType: 'code',
      secret: undefined,
      key: undefined,
    };
    return new RelyingParty(this.world, client, new Browser(this.world));
  }

  /** Signs in and consents; ends at the application. */
  async codeOf(rp: RelyingParty, over: Parameters = {}): Promise<string> {
    const page = pageOf(await rp.enter(await rp.authorize(over), this.alice));
    const asked = page.find('button[name="factor"]') ? pageOf(await rp.browser.submit(page, { factor: 'skip' })) : page;
    return rp.toAnswer(await rp.browser.submit(asked, { decision: 'continue' }))['code']!;
  }

  async rowsOf(clientId: string): Promise<Array<{ id: string; origin: string; redirect_uris: string[] }>> {
    return this.world.rows('SELECT id, origin, redirect_uris FROM client WHERE client_id = $1', [clientId]);
  }

  async statusOf(clientId: string, redirectUri?: string): Promise<number | string> {
    const arrival = await this.rpOf(clientId, redirectUri).authorize();
    return arrival.page?.status ?? arrival.redirect ?? '';
  }
}
