import type { NewClient } from '../../src/project/client/client.service.js';
import { LogoutWorker } from '../../src/token/logout/logout-worker.js';
import { Browser } from '../support/browser.js';
import { type TestClient, type TestPerson, uniqueName } from '../support/builders.js';
import type { LogoutCall, LogoutReceiver } from '../support/logout-receiver.js';
import { RelyingParty, type Tokens } from '../support/relying-party.js';
import type { World } from '../support/world.js';

/** An application that wants to be told, under the name by which the receiver knows it. */
export interface ToldApplication {
  readonly name: string;
  readonly client: TestClient;
}

/** Applications that are told when sessions end, and the people who use them. */
export class LogoutStage {
  constructor(
    readonly world: World,
    readonly receiver: LogoutReceiver,
  ) {}

  async application(settings: Partial<NewClient> = {}): Promise<ToldApplication> {
    const name = uniqueName('told');
    const client = await this.world.add.client({
      projectId: await this.world.cast.projectP,
      backChannelLogoutUri: this.receiver.uri(name),
      postLogoutRedirectUris: ['https://told.test/out'],
      ...settings,
    });
    return { name, client };
  }

  async person(): Promise<TestPerson> {
    return this.world.add.person({ orgId: (await this.world.cast.orgA).id });
  }

  /** The person uses an application, in a new browser or in one that is given. */
  async use(
    { client }: ToldApplication,
    person: TestPerson,
    browser = new Browser(this.world),
  ): Promise<{ readonly rp: RelyingParty; readonly tokens: Tokens }> {
    const rp = new RelyingParty(this.world, client, browser);
    return { rp, tokens: await rp.tokens(person) };
  }

  /** Everything that is due is delivered. */
  async deliver(): Promise<void> {
    await this.world.get(LogoutWorker).run();
  }

  /** The calls that an application has received once everything due is delivered. */
  async callsOf({ name }: ToldApplication): Promise<readonly LogoutCall[]> {
    await this.deliver();
    for (const { token } of this.receiver.calls(name)) this.world.plant(token);
    return this.receiver.calls(name);
  }

  async noticesOf({ client }: ToldApplication): Promise<Array<{ state: string; tries: number; reason: string }>> {
    return this.world.rows('SELECT state, tries, reason FROM logout_notice WHERE client_id = $1 ORDER BY id', [
      client.clientId,
    ]);
  }
}
