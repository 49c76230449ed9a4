import type { ClientSettings } from '../../src/project/client/client-settings.js';
import type { AssertionChanges } from './assertion.js';
import { signAssertion } from './assertion.js';
import type { Arrival } from './browser.js';
import type { TestPerson } from './builders.js';
import { type Headers, type Parameters, type Reply, send } from './http.js';
import { Prover } from './proof.js';
import { type Answer, newPkce, paths, RelyingParty, type Tokens, tokensOf } from './relying-party.js';
import type { World } from './world.js';

export const PAR = '/oauth/v2/par';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * An application that is held to FAPI 2.0, as the profile wants it: private_key_jwt with the issuer as the audience,
 * PAR, PKCE and DPoP.
 */
export class FapiParty extends RelyingParty {
  private constructor(
    world: World,
    client: RelyingParty['client'],
    readonly prover: Prover,
  ) {
    super(world, client);
    this.pkce = newPkce();
  }

  static async make(
    world: World,
    { keyAlgorithm = 'PS256', ...settings }: Partial<ClientSettings> & { readonly keyAlgorithm?: string } = {},
  ): Promise<FapiParty> {
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'private_key_jwt',
      securityProfile: 'fapi_2_0',
      keyAlgorithm,
      ...settings,
    });
    return new FapiParty(world, client, await Prover.make(world));
  }

  async push(over: Parameters = {}, more: Headers = {}): Promise<Reply> {
    return this.post(PAR, this.parameters(over), this.world, more);
  }

  /** The same with another assertion. */
  async pushWith(changes: AssertionChanges): Promise<Reply> {
    return send(this.world.origin, {
      method: 'POST',
      path: PAR,
      body: {
        ...this.parameters(),
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await signAssertion(this.world, this.client.key!, this.client.clientId, changes),
      },
    });
  }

  async pushed(over: Parameters = {}, more: Headers = {}): Promise<string> {
    const reply = await this.push(over, more);
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
    return reply.json<{ request_uri: string }>().request_uri;
  }

  async visit(requestUri: string, clientId = this.client.clientId): Promise<Arrival> {
    return this.browser.get(
      `${paths.authorize}?${new URLSearchParams({ client_id: clientId, request_uri: requestUri })}`,
    );
  }

  /** The whole way to the answer. */
  async answerFor(person: TestPerson, over: Parameters = {}): Promise<Answer> {
    const arrival = await this.enter(await this.visit(await this.pushed(over)), person);
    const isOffer = arrival.page?.find('button[name="factor"][value="skip"]') != null;
    return this.toAnswer(
      await this.allowed(isOffer ? await this.browser.submit(arrival.page, { factor: 'skip' }) : arrival),
    );
  }

  async codeFor(person: TestPerson, over: Parameters = {}): Promise<string> {
    const { code, error } = await this.answerFor(person, over);
    if (code === undefined) throw new Error(`No code: ${error}`);
    return code;
  }

  async redeemWithProof(code: string, over: Parameters = {}, prover = this.prover): Promise<Reply> {
    return this.redeem(code, over, this.world, await prover.forTokens());
  }

  async refreshWithProof(refreshToken: string, prover = this.prover): Promise<Reply> {
    return this.refresh(refreshToken, {}, this.world, await prover.forTokens());
  }

  async tokensFor(person: TestPerson, over: Parameters = {}): Promise<Tokens> {
    return tokensOf(await this.redeemWithProof(await this.codeFor(person, over)));
  }

  async userinfoWithProof(token: string, prover = this.prover): Promise<Reply> {
    return send(this.world.origin, { path: paths.userinfo, headers: await prover.forResource(token, paths.userinfo) });
  }
}

/** Status and error code of a refusal. */
export function errorOf(reply: Reply): string {
  return `${reply.status} ${reply.json<{ error?: string }>().error ?? ''}`.trim();
}
