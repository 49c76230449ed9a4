import { Injectable } from '@nestjs/common';
import type { Form } from '../../../foundation/http/form.js';
import { networkOf } from '../../../foundation/network/network.js';
import type { Entitlement } from '../../../token/token-issuer.js';
import type { ServiceUserAccount } from '../../../user/account.js';
import { ServiceUserService } from '../../../user/service-user.service.js';
import { ClientAuthenticator } from '../../client-auth/client-authenticator.js';
import { type Credentials, isGuess } from '../../client-auth/credentials.js';
import { GuessLimit } from '../../client-auth/guess-limit.js';
import { refusal } from '../../oidc.errors.js';
import { readScopes } from '../../parameters.js';
import { RequestedResources } from '../../requested-resources.js';
import { ServiceEntitlements } from '../service-entitlement.js';
import type { ServiceGrant } from './grant.js';

/** RFC 6749 §4.4, for service users: the user name, or the id, is the client_id. No id_token, no refresh token. */
@Injectable()
export class ClientCredentialsGrant implements ServiceGrant {
  readonly type = 'client_credentials';
  readonly actsFor = 'service-user';

  constructor(
    private readonly serviceUsers: ServiceUserService,
    private readonly clientAuth: ClientAuthenticator,
    private readonly guessLimit: GuessLimit,
    private readonly entitlements: ServiceEntitlements,
    private readonly resources: RequestedResources,
  ) {}

  async exchange(form: Form, credentials: Credentials | undefined, address: string): Promise<Entitlement> {
    const scopes = readScopes(form) ?? [];
    if (!credentials) throw refusal.clientCredentialsMissing();
    const account =
      credentials.clientId === undefined ? undefined : await this.serviceUsers.findActive(credentials.clientId);
    if (!account || credentials.clientId === undefined) return this.refuseStranger(credentials, address);
    await this.checkSecret(account, credentials, address);
    // The id as stored, however it is spelled in the request: resource servers identify the service user by it.
    const clientId = credentials.clientId === account.id ? account.id : account.userName;
    const resources = await this.resources.read(form);
    return this.entitlements.make(account, clientId, { scopes, resources }, undefined);
  }

  private async checkSecret(account: ServiceUserAccount, credentials: Credentials, address: string): Promise<void> {
    this.guessLimit.check(account.id, address);
    const mayHold = credentials.method === 'client_secret_basic' || credentials.method === 'client_secret_post';
    const isGiven = mayHold && credentials.secret.reveal() !== '';
    if (isGiven && (await this.serviceUsers.hasSecret(account, credentials.secret, networkOf(address)))) return;
    if (isGuess(credentials)) await this.guessLimit.countFailure(account.id, address);
    throw refusal.clientSecretWrong();
  }

  /** An application with correct credentials learns that it cannot use this grant; others learn nothing. */
  private async refuseStranger(credentials: Credentials, address: string): Promise<never> {
    await this.clientAuth.authenticate(credentials, address);
    throw refusal.grantNotAllowed();
  }
}
