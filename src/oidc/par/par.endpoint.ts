import { Injectable } from '@nestjs/common';
import { RequestRate } from '../../foundation/attempt/request-rate.js';
import { LoginConfig } from '../../foundation/config/config.js';
import { Form } from '../../foundation/http/form.js';
import { networkOf } from '../../foundation/network/network.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds } from '../../foundation/time/duration.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { IdTokenHints } from '../../token/id-token-hint.js';
import { ProofRefused } from '../../token/proof/proof-refused.js';
import { ProofsOfKeys, type SentProof } from '../../token/proof/proofs-of-keys.js';
import { type AskedRequest, AskedRequests } from '../authorize/asked-request.js';
import { PushedRequests, textOf } from '../authorize/pushed-request.js';
import { RequestReader } from '../authorize/request-reader.js';
import { findReturnAddress } from '../authorize/return-address.js';
import { withShortHint } from '../authorize/short-hint.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import { refusal } from '../oidc.errors.js';
import { checkAlgorithm } from '../token/application-switches.js';
import type { TokenCaller } from '../token/token.endpoint.js';

/**
 * Public clients need no credentials, so that anybody may push in their name: five a second, for all users of a
 * network.
 */
const MOST_PER_NETWORK = 300;

/** The reference, and the nonce that the next proof must contain, if it is another one. */
export interface PushedAnswer {
  readonly requestUri: string;
  readonly expiresInSeconds: number;
  readonly nextNonce: string | undefined;
}

/** RFC 9126 §2: a client hands in its request before it sends the browser, and authenticates with it. */
@Injectable()
export class ParEndpoint {
  private readonly rate = new RequestRate(MOST_PER_NETWORK, seconds.perMinute);

  constructor(
    private readonly clientAuth: ClientAuthenticator,
    private readonly clients: ClientService,
    private readonly asked: AskedRequests,
    private readonly reader: RequestReader,
    private readonly pushed: PushedRequests,
    private readonly proofs: ProofsOfKeys,
    private readonly hints: IdTokenHints,
    private readonly limits: LoginConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * The checks of RFC 9126 §2.1, in its order; the request itself passes those of the authorization endpoint.
   * @throws OAuthError as RFC 9126 §2.3 says; ProofRefused; DomainError ResourceExhausted for too many of one network
   */
  async push(form: Form, sent: SentProof, { credentials, address }: TokenCaller): Promise<PushedAnswer> {
    const unverified = this.proofs.read(sent);
    const client = await this.clientAuth.authenticate(credentials, address);
    this.count(client, address);
    if (form.isGiven('request_uri')) throw refusal.requestUriPushed();
    if (form.find('client_id') !== undefined && form.find('client_id') !== client.id) throw refusal.clientIdDiffers();
    checkAlgorithm(client, unverified);
    const proof = unverified && (await this.proofs.verify(unverified));
    const asked = bound(await this.asked.readPush(form, client), proof?.thumbprint);
    const found = await findReturnAddress(asked.form, this.clients);
    if ('page' in found) throw refusal.pushedAddressRefused();
    await this.reader.read({ ...asked, isPushed: true }, found);
    if (proof) await this.proofs.spend(proof);
    const short = await withShortHint(asked.form, this.hints);
    return { ...this.pushed.push(client, short, asked), nextNonce: proof?.nextNonce };
  }

  /**
   * RFC 9126 §2.3, 429. One that has authenticated answers for its pushes, and may make those of all its users from one
   * address.
   */
  private count(client: Client, address: string): void {
    if (this.limits.limits && !client.isConfidential) this.rate.count(networkOf(address), this.clock.now());
  }
}

/** RFC 9449 §10.1: a proof binds the code as `dpop_jkt` does. Both must name the same key. */
function bound(asked: Omit<AskedRequest, 'pushedId'>, thumbprint: string | undefined): Omit<AskedRequest, 'pushedId'> {
  if (thumbprint === undefined) return asked;
  const named = asked.form.find('dpop_jkt');
  if (named === thumbprint) return asked;
  if (named !== undefined) throw new ProofRefused('other-key');
  return { ...asked, form: Form.parse(`${textOf(asked.form)}&dpop_jkt=${thumbprint}`) };
}
