import { AdminApi, type Json } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import type { TestClient } from '../support/builders.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

export const REGISTER = '/oauth/v2/register';
export const CALLBACK = 'https://rp.test/cb';

export interface Registered {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
  readonly token_endpoint_auth_method: TestClient['authMethod'];
}

/** Applications that register themselves, with tokens that an administrator makes. */
export class RegistrationStage {
  private constructor(
    readonly world: World,
    readonly admin: AdminApi,
    readonly projectId: string,
  ) {}

  static async set(env: Readonly<Record<string, string>> = {}): Promise<RegistrationStage> {
    const world = await startWorld({ env: { REGISTRATION: 'token', ...env } });
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    return new RegistrationStage(world, admin, await world.add.project({ orgId: world.firstStart.orgId }));
  }

  async newToken(over: Json = {}): Promise<string> {
    const reply = await this.admin.ask('POST', `/management/v1/projects/${this.projectId}/registration_tokens`, over);
    const { token } = reply.json<{ token: string }>();
    this.world.plant(token);
    return token;
  }

  async register(token: string | undefined, metadata: unknown = {}, at: World = this.world): Promise<Reply> {
    const body =
      typeof metadata === 'string' ? metadata : JSON.stringify({ redirect_uris: [CALLBACK], ...(metadata as object) });
    const headers: Headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : bearer(token)) };
    const reply = await send(at.origin, { method: 'POST', path: REGISTER, headers, body });
    if (reply.status === 201) this.plant(reply.json<Registered>());
    return reply;
  }

  async registered(metadata: unknown = {}): Promise<Registered> {
    const reply = await this.register(await this.newToken(), metadata);
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
    return reply.json<Registered>();
  }

  async manage(
    method: string,
    { client_id: id, registration_access_token: token }: Pick<Registered, 'client_id' | 'registration_access_token'>,
    metadata?: unknown,
    at: Pick<World, 'origin'> = this.world,
  ): Promise<Reply> {
    const headers: Headers = {
      ...bearer(token),
      ...(metadata === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const body = metadata === undefined ? {} : { body: JSON.stringify(metadata) };
    const reply = await send(at.origin, { method, path: `${REGISTER}/${id}`, headers, ...body });
    if (reply.status === 200) this.plant(reply.json<Registered>());
    return reply;
  }

  rpOf({
    client_id: clientId,
    client_secret: secret,
    token_endpoint_auth_method: authMethod,
  }: Pick<Registered, 'client_id' | 'client_secret' | 'token_endpoint_auth_method'>): RelyingParty {
    const client: TestClient = {
      id: clientId,
      clientId,
      authMethod,
      redirectUri: CALLBACK,
      responseType: 'code',
      secret,
      key: undefined,
    };
    return new RelyingParty(this.world, client, new Browser(this.world));
  }

  private plant(registered: Registered): void {
    this.world.plant(registered.client_secret);
    this.world.plant(registered.registration_access_token);
  }
}
