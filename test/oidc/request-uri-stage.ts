import type { ClientSettings } from '../../src/project/client/client-settings.js';
import type { Arrival } from '../support/browser.js';
import { makeKey, type TestKey, type TestPerson } from '../support/builders.js';
import { DocumentServer } from '../support/document-server.js';
import type { Parameters } from '../support/http.js';
import { type Answer, answerOf, paths, RelyingParty } from '../support/relying-party.js';
import { type ObjectChanges, signRequest } from '../support/request-object.js';
import { startWorld, type World } from '../support/world.js';

export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
/** Of a service that fetches request objects, besides those of the server. */
export const SETTINGS = { REQUEST_URI: 'registered', REGISTRATION: 'open' };

/** Applications that publish their requests on a server of the internet. */
export class RequestUriStage {
  private count = 0;

  private constructor(
    readonly world: World,
    readonly server: DocumentServer,
    readonly alice: TestPerson,
    /** By their algorithm, which is also the `kid`. */
    readonly keys: ReadonlyMap<string, TestKey>,
  ) {}

  static async set(): Promise<RequestUriStage> {
    const server = await DocumentServer.start();
    const world = await startWorld({ env: { ...server.env, ...SETTINGS } });
    server.resolveIn(world);
    const made = await Promise.all(
      ALGORITHMS.map(async (alg) => [alg, { ...(await makeKey(alg)), kid: alg }] as const),
    );
    return new RequestUriStage(world, server, await world.cast.alice, new Map(made));
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.server.close();
  }

  /** An application that has registered these addresses, with a browser in which alice is signed in. */
  async partyWith(requestUris: readonly string[], settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
    const jwks = { keys: [...this.keys].map(([kid, { publicJwk }]) => ({ ...publicJwk, kid })) };
    const projectId = await this.world.cast.projectP;
    const client = await this.world.add.client({ projectId, jwks, requestUris: [...requestUris], ...settings });
    const rp = new RelyingParty(this.world, client);
    if (settings.requirePushedRequests !== true) await rp.signIn(this.alice);
    return rp;
  }

  newPath(): string {
    return `/requests/${(this.count += 1)}.jwt`;
  }

  async objectOf(
    rp: RelyingParty,
    over: Parameters = {},
    changes: ObjectChanges = {},
    key = this.keys.get('ES256')!,
  ): Promise<string> {
    return signRequest(this.world, key, rp.client.clientId, rp.parameters(over), changes);
  }

  publish(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
    return this.server.publish(path, {
      headers: { 'Content-Type': 'application/oauth-authz-req+jwt', ...headers },
      body,
    });
  }

  /** With the address, `client_id`, and nothing else unless it is given. */
  async ask(rp: RelyingParty, requestUri: string, beside: Record<string, string> = {}): Promise<Arrival> {
    const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri: requestUri, ...beside });
    return rp.browser.get(`${paths.authorize}?${query}`);
  }

  async answered(rp: RelyingParty, requestUri: string, beside: Record<string, string> = {}): Promise<Answer> {
    const { redirect, page } = await this.ask(rp, requestUri, beside);
    if (redirect === undefined) throw new Error(`A page came: ${page.status} ${page.text.slice(0, 300)}`);
    return answerOf(redirect);
  }

  /** The error on the page; no address is known to send it to. */
  async refused(rp: RelyingParty, requestUri: string): Promise<string> {
    const { page, redirect } = await this.ask(rp, requestUri);
    if (redirect !== undefined || page?.status !== 400) return redirect ?? String(page?.status);
    return /invalid_request_uri|request_uri_not_supported|invalid_request\b/.exec(page.text)?.[0] ?? page.text;
  }

  /** An application whose only address has this content. */
  async partyAt(
    path: string,
    contents: (rp: RelyingParty) => Promise<string> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly rp: RelyingParty; readonly uri: string }> {
    const rp = await this.partyWith([this.server.origin + path]);
    return { rp, uri: this.publish(path, await contents(rp), headers) };
  }
}
