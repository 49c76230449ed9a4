import { Inject, Injectable } from '@nestjs/common';
import { DayCounts } from '../../foundation/day-count/day-counts.js';
import type { ClientCertificate } from '../../foundation/http/client-certificate.js';
import type { Form } from '../../foundation/http/form.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { ClientUses } from '../../project/client/client-uses.js';
import type { ReadProof } from '../../token/proof/dpop-proof.js';
import { ProofsOfKeys, type SentProof } from '../../token/proof/proofs-of-keys.js';
import { TokenEnds } from '../../token/token-ends.js';
import { type Entitlement, type IssuedTokens, TokenIssuer } from '../../token/token-issuer.js';
import { type AuthenticatedClient, ClientAuthenticator } from '../client-auth/client-authenticator.js';
import type { Credentials } from '../client-auth/credentials.js';
import { refusal } from '../oidc.errors.js';
import { required } from '../parameters.js';
import { RequestedResources } from '../requested-resources.js';
import { checkSwitches, confirmationOf } from './application-switches.js';
import { type ClientGrant, GRANTS, type Grant, type ServiceGrant } from './grant/grant.js';

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

type Asked = { readonly grant: ClientGrant; readonly client: AuthenticatedClient } | { readonly grant: ServiceGrant };

/** The phases that all grants share, so that no grant can forget one. */
@Injectable()
export class TokenEndpoint {
  constructor(
    @Inject(GRANTS) private readonly grants: readonly Grant[],
    private readonly clientAuth: ClientAuthenticator,
    private readonly issuer: TokenIssuer,
    private readonly resources: RequestedResources,
    private readonly uses: ClientUses,
    private readonly counts: DayCounts,
    private readonly proofs: ProofsOfKeys,
    private readonly tallies: Tallies,
    private readonly ends: TokenEnds,
  ) {}

  /** @throws OAuthError; ProofRefused, which uses up no code and no refresh token (RFC 9449 §8) */
  async token(form: Form, sent: SentProof, caller: TokenCaller): Promise<TokenAnswer> {
    const { credentials, address, certificate } = caller;
    const type = required(form, 'grant_type');
    const grant = this.grants.find((known) => known.type === type);
    if (!grant) throw refusal.grantTypeUnsupported(); // RFC 6749 §5.2
    const unverified = this.proofs.read(sent);
    const asked = await this.identify(grant, unverified, caller);
    const proof = unverified && (await this.proofs.verify(unverified));
    // The proof is used before the grant, which may use up a code, a refresh token or an assertion. It is given back if
    // anything below fails.
    await using use = proof && (await this.proofs.use(proof));
    const entitlement =
      'client' in asked
        ? await asked.grant.exchange(form, asked.client, { proof, certificate, address })
        : await asked.grant.exchange(form, credentials, address);
    const tokens = await this.issue(grant, entitlement, confirmationOf(entitlement, proof, certificate));
    use?.keep();
    return { tokens, nextNonce: proof?.nextNonce };
  }

  private async identify(grant: Grant, unverified: ReadProof | undefined, caller: TokenCaller): Promise<Asked> {
    return grant.actsFor === 'client'
      ? { grant, client: await this.authenticate(grant, unverified, caller) }
      : { grant };
  }

  private async authenticate(
    grant: ClientGrant,
    unverified: ReadProof | undefined,
    { credentials, address, certificate }: TokenCaller,
  ): Promise<AuthenticatedClient> {
    const client = await this.clientAuth.authenticate(credentials, address); // RFC 6749 §2.3
    if (!client.mayUse(grant.registeredAs)) throw refusal.grantNotAllowed(); // RFC 6749 §5.2, unauthorized_client
    checkSwitches(client, { proof: unverified, certificate });
    return client;
  }

  /**
   * A family that has just begun, and of whose tokens nobody has got any, must not stay: users would see access that
   * nobody has.
   */
  private async issue(
    { type }: Grant,
    entitlement: Entitlement,
    confirmation: ReturnType<typeof confirmationOf>,
  ): Promise<IssuedTokens> {
    const { client, familyId, refreshToken } = entitlement;
    try {
      const resources = await this.resources.stillKnown(entitlement.resources);
      const tokens = await this.issuer.issue({ ...entitlement, resources }, confirmation);
      if (client) {
        await this.uses.note(client);
        this.counts.add('token', client.id, type);
      }
      this.tallies.add('tokens', type);
      return tokens;
    } catch (error) {
      // A refresh token is taken again for a moment, as after an answer that was lost.
      if (type !== 'refresh_token' && familyId !== undefined && refreshToken !== undefined)
        await this.ends.endFamily(familyId, 'revoked').catch(() => undefined); // What failed first says more.
      throw error;
    }
  }
}
