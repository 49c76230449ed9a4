import { Injectable } from '@nestjs/common';
import type { Client } from '../../client/client.js';
import { ClientService } from '../../client/client.service.js';
import { IssuerConfig } from '../../config/config.js';
import { SecretCheck } from '../../crypto/secret-check.js';
import { AssertionRefused, issuerIn, verifyAssertion, type Assertion } from '../../crypto/assertion.js';
import { AssertionUse } from '../../token/assertion-use.js';
import { Clock } from '../../time/clock.js';
import { OAuthError, refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import type { Credentials } from './credentials.js';
import { GuessLimit } from './guess-limit.js';

declare const authenticated: unique symbol;

/** A client that has proved who it is in the way it is registered for (public clients: named itself). */
export type AuthenticatedClient = Client & { readonly [authenticated]: true };

/** RFC 6749 §2.3: one door for the token, introspection and revocation endpoints. */
@Injectable()
export class ClientAuthenticator {
  private readonly audiences: readonly string[];

  constructor(
    private readonly clients: ClientService,
    private readonly secrets: SecretCheck,
    private readonly assertionUse: AssertionUse,
    private readonly guessLimit: GuessLimit,
    private readonly clock: Clock,
    issuer: IssuerConfig,
  ) {
    // RFC 7523 §3 item 3 allows the token endpoint's URL; the issuer is what new clients should send.
    this.audiences = [issuer.publicUrl, issuer.publicUrl + endpoints.token, issuer.publicUrl + endpoints.introspection, issuer.publicUrl + endpoints.revocation];
  }

  /**
   * @throws OAuthError invalid_client, the same for every reason; invalid_request for several ways at once
   * @throws DomainError ResourceExhausted for too many failures from one address
   */
  async authenticate(credentials: Credentials | undefined, address: string): Promise<AuthenticatedClient> {
    if (!credentials) throw refusal.clientCredentialsMissing();
    const name = nameOf(credentials);
    this.guessLimit.check(name, address);
    try {
      return (await this.check(credentials)) as AuthenticatedClient;
    } catch (error) {
      if (error instanceof OAuthError && error.error === 'invalid_client') await this.guessLimit.countFailure(name, address);
      throw error;
    }
  }

  private async check(credentials: Credentials): Promise<Client> {
    if (credentials.method === 'private_key_jwt') return this.checkAssertion(credentials);
    const client = await this.clients.findActive(credentials.clientId);
    if (!client) throw refusal.clientUnknown();
    // The registered method and no other: a downgrade is as bad as a wrong secret.
    if (client.settings.authMethod !== credentials.method) throw refusal.clientMethodWrong();
    if (credentials.method === 'none' || (await this.secrets.isRight(client.storedSecret, credentials.secret))) return client;
    // Before the answer is no, the database is asked as it is for unknown clients: the secret may be a moment old, and the
    // time does not tell who exists.
    const asItIsNow = await this.clients.findActiveAnew(credentials.clientId);
    if (asItIsNow?.settings.authMethod !== credentials.method) throw refusal.clientSecretWrong();
    // A slow hash is checked once.
    const isReplaced = asItIsNow.storedSecret !== null && client.storedSecret?.equals(asItIsNow.storedSecret) !== true;
    if (!isReplaced || !(await this.secrets.isRight(asItIsNow.storedSecret, credentials.secret))) throw refusal.clientSecretWrong();
    return asItIsNow;
  }

  /** OIDC Core §9, `private_key_jwt`. */
  private async checkAssertion(credentials: Extract<Credentials, { method: 'private_key_jwt' }>): Promise<Client> {
    const now = this.clock.now();
    const assertion = await this.verify(credentials.assertion, now);
    if (credentials.clientId !== undefined && credentials.clientId !== assertion.issuer) throw refusal.clientAssertionBad();
    const client = await this.clients.findActive(assertion.issuer);
    if (client?.settings.authMethod !== 'private_key_jwt') throw refusal.clientMethodWrong();
    if (assertion.jti !== undefined) {
      const first = await this.assertionUse.spend(assertion.issuer, assertion.jti, assertion.expiresAt, now);
      if (!first) throw refusal.clientAssertionBad();
    }
    return client;
  }

  private async verify(assertion: string, now: Date): Promise<Assertion> {
    try {
      return await verifyAssertion(assertion, {
        audiences: this.audiences,
        now,
        findKey: async (clientId, keyId) => (await this.clients.findActive(clientId))?.findKey(keyId, now)?.publicKey,
      });
    } catch (error) {
      throw error instanceof AssertionRefused ? refusal.clientAssertionBad(error) : error;
    }
  }
}

/** Whom the try claims to be, proven or not: whoever is guessed at is the one to protect. */
function nameOf(credentials: Credentials): string {
  if (credentials.clientId !== undefined) return credentials.clientId;
  return (credentials.method === 'private_key_jwt' ? issuerIn(credentials.assertion) : undefined) ?? 'by assertion';
}
