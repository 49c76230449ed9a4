import { Inject, Injectable } from '@nestjs/common';
import { ClientUses } from '../../client/client-uses.js';
import type { Form } from '../../foundation/http/form.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { type Entitlement, type IssuedTokens, TokenIssuer } from '../../token/token-issuer.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import type { Credentials } from '../client-auth/credentials.js';
import { refusal } from '../oidc.errors.js';
import { required } from '../parameters.js';
import { RequestedResources } from '../requested-resources.js';
import { type ClientGrant, GRANTS, type Grant } from './grant/grant.js';

/** The phases that all grants share, so that no grant can forget one. */
@Injectable()
export class TokenEndpoint {
  constructor(
    @Inject(GRANTS) private readonly grants: readonly Grant[],
    private readonly clientAuth: ClientAuthenticator,
    private readonly issuer: TokenIssuer,
    private readonly resources: RequestedResources,
    private readonly uses: ClientUses,
    private readonly tallies: Tallies,
  ) {}

  async token(form: Form, credentials: Credentials | undefined, address: string): Promise<IssuedTokens> {
    const type = required(form, 'grant_type');
    const grant = this.grants.find((known) => known.type === type);
    if (!grant) throw refusal.grantTypeUnsupported(); // RFC 6749 §5.2
    const entitlement =
      grant.actsFor === 'client'
        ? await this.exchangeForClient(grant, form, credentials, address)
        : await grant.exchange(form, credentials, address);
    const resources = await this.resources.stillKnown(entitlement.resources);
    const tokens = await this.issuer.issue({ ...entitlement, resources });
    if (entitlement.client) await this.uses.note(entitlement.client);
    this.tallies.add('tokens', grant.type);
    return tokens;
  }

  private async exchangeForClient(
    grant: ClientGrant,
    form: Form,
    credentials: Credentials | undefined,
    address: string,
  ): Promise<Entitlement> {
    const client = await this.clientAuth.authenticate(credentials, address); // RFC 6749 §2.3
    if (!client.mayUse(grant.registeredAs)) throw refusal.grantNotAllowed(); // RFC 6749 §5.2, unauthorized_client
    return grant.exchange(form, client);
  }
}
