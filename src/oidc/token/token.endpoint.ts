import { Inject, Injectable } from '@nestjs/common';
import { ClientUses } from '../../client/client-uses.js';
import type { ClientCertificate } from '../../foundation/http/client-certificate.js';
import type { Form } from '../../foundation/http/form.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import type { ReadProof } from '../../token/proof/dpop-proof.js';
import { type ProofOfKey, ProofsOfKeys, type SentProof } from '../../token/proof/proofs-of-keys.js';
import { type Entitlement, type IssuedTokens, TokenIssuer } from '../../token/token-issuer.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import type { Credentials } from '../client-auth/credentials.js';
import { refusal } from '../oidc.errors.js';
import { required } from '../parameters.js';
import { RequestedResources } from '../requested-resources.js';
import { checkSwitches, confirmationOf } from './application-switches.js';
import { type ClientGrant, GRANTS, type Grant } from './grant/grant.js';

/** Who asks: as claimed, not as proven. */
export interface TokenCaller {
  readonly credentials: Credentials | undefined;
  readonly address: string;
  /** What it has shown in the TLS handshake. */
  readonly certificate: ClientCertificate | undefined;
}

/** Tokens, and the nonce that the next proof must contain, if it is another one. */
export interface TokenAnswer {
  readonly tokens: IssuedTokens;
  readonly nextNonce: string | undefined;
}

interface Exchanged {
  readonly entitlement: Entitlement;
  readonly proof: ProofOfKey | undefined;
}

/** The phases that all grants share, so that no grant can forget one. */
@Injectable()
export class TokenEndpoint {
  constructor(
    @Inject(GRANTS) private readonly grants: readonly Grant[],
    private readonly clientAuth: ClientAuthenticator,
    private readonly issuer: TokenIssuer,
    private readonly resources: RequestedResources,
    private readonly uses: ClientUses,
    private readonly proofs: ProofsOfKeys,
    private readonly tallies: Tallies,
  ) {}

  /** @throws OAuthError; ProofRefused, which uses up no code and no refresh token (RFC 9449 §8) */
  async token(form: Form, sent: SentProof, caller: TokenCaller): Promise<TokenAnswer> {
    const type = required(form, 'grant_type');
    const grant = this.grants.find((known) => known.type === type);
    if (!grant) throw refusal.grantTypeUnsupported(); // RFC 6749 §5.2
    const unverified = this.proofs.read(sent);
    const { entitlement, proof } =
      grant.actsFor === 'client'
        ? await this.exchangeForClient(grant, form, unverified, caller)
        : await this.exchangeForService(grant, form, unverified, caller);
    const resources = await this.resources.stillKnown(entitlement.resources);
    if (proof) await this.proofs.spend(proof);
    const tokens = await this.issuer.issue(
      { ...entitlement, resources },
      confirmationOf(entitlement, proof, caller.certificate),
    );
    if (entitlement.client) await this.uses.note(entitlement.client);
    this.tallies.add('tokens', grant.type);
    return { tokens, nextNonce: proof?.nextNonce };
  }

  private async exchangeForClient(
    grant: ClientGrant,
    form: Form,
    unverified: ReadProof | undefined,
    { credentials, address, certificate }: TokenCaller,
  ): Promise<Exchanged> {
    const client = await this.clientAuth.authenticate(credentials, address); // RFC 6749 §2.3
    if (!client.mayUse(grant.registeredAs)) throw refusal.grantNotAllowed(); // RFC 6749 §5.2, unauthorized_client
    checkSwitches(client, { proof: unverified, certificate });
    const proof = unverified && (await this.proofs.verify(unverified));
    return { entitlement: await grant.exchange(form, client, { proof, certificate, address }), proof };
  }

  private async exchangeForService(
    grant: Exclude<Grant, ClientGrant>,
    form: Form,
    unverified: ReadProof | undefined,
    { credentials, address }: TokenCaller,
  ): Promise<Exchanged> {
    // Before the grant, which may use an assertion up.
    const proof = unverified && (await this.proofs.verify(unverified));
    return { entitlement: await grant.exchange(form, credentials, address), proof };
  }
}
