import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import type { Secret } from '../../foundation/config/secret.js';
import { hasName } from '../../foundation/crypto/certificate-names.js';
import { JwtRefused } from '../../foundation/crypto/jwt-verifier.js';
import type { ClientCertificate } from '../../foundation/http/client-certificate.js';
import { networkOf } from '../../foundation/network/network.js';
import type { Turn } from '../../foundation/password/hash-lane.js';
import { SecretCheck } from '../../foundation/password/secret-check.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { ClientKeys } from '../../project/client/client-keys.js';
import { type Assertion, issuerIn, verifyAssertion } from '../../token/assertion.js';
import { AssertionUse } from '../../token/assertion-use.js';
import { OAuthError, refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import { type Credentials, isGuess } from './credentials.js';
import { GuessLimit } from './guess-limit.js';

declare const authenticated: unique symbol;

/** A client that has authenticated with its registered method (a public client has only named itself). */
export type AuthenticatedClient = Client & { readonly [authenticated]: true };

/** RFC 6749 §2.3: client authentication of the token, introspection and revocation endpoints. */
@Injectable()
export class ClientAuthenticator {
  private readonly audiences: readonly string[];

  constructor(
    private readonly clients: ClientService,
    private readonly keys: ClientKeys,
    private readonly secrets: SecretCheck,
    private readonly assertionUse: AssertionUse,
    private readonly guessLimit: GuessLimit,
    private readonly clock: Clock,
    private readonly issuer: IssuerConfig,
  ) {
    // RFC 7523 §3 item 3 allows the token endpoint's URL; the issuer is what new clients should send.
    this.audiences = [
      issuer.publicUrl,
      issuer.publicUrl + endpoints.token,
      issuer.publicUrl + endpoints.pushedRequest,
      issuer.publicUrl + endpoints.deviceAuthorization,
      issuer.publicUrl + endpoints.introspection,
      issuer.publicUrl + endpoints.revocation,
    ];
  }

  /**
   * @throws OAuthError invalid_client: the same for every reason, except that a caller with correct credentials learns
   * which method to use; invalid_request for several methods at once
   * @throws DomainError ResourceExhausted for too many failures from one address
   */
  async authenticate(credentials: Credentials | undefined, address: string): Promise<AuthenticatedClient> {
    if (!credentials) throw refusal.clientCredentialsMissing();
    const client = await this.prove(credentials, address);
    // Correct, so not a guess: a library that sends the right secret in the wrong place must not lock itself out.
    const isByCertificate = credentials.method === 'none' && client.usesCertificate;
    if (!isByCertificate && !client.takesAuthMethod(credentials.method))
      throw refusal.clientMethodWrong(client.settings.authMethod);
    return client as AuthenticatedClient;
  }

  private async prove(credentials: Credentials, address: string): Promise<Client> {
    const name = nameOf(credentials);
    this.guessLimit.check(name, address);
    try {
      return await this.check(credentials, { from: networkOf(address), name: `client ${name}` });
    } catch (error) {
      const isRefused = error instanceof OAuthError && error.error === 'invalid_client';
      if (isRefused && isGuess(credentials)) await this.guessLimit.countFailure(name, address);
      throw error;
    }
  }

  /** The client that the credentials prove, regardless of the method. */
  private async check(credentials: Credentials, turn: Turn): Promise<Client> {
    if (credentials.method === 'private_key_jwt') return this.checkAssertion(credentials);
    const client = await this.clients.findActive(credentials.clientId);
    if (!client) throw refusal.clientUnknown();
    if (credentials.method === 'none') {
      if (client.usesCertificate) await this.checkCertificate(client, credentials.certificate);
      else if (client.isConfidential) throw refusal.clientSecretMissing();
      return client;
    }
    if (await this.isRight(client, credentials.secret, turn)) return client;
    // Before refusing, the database is read as it is for unknown clients: the secret may have just been changed, and
    // the response time does not reveal which clients exist.
    const asItIsNow = await this.clients.findActiveAnew(credentials.clientId);
    // An unchanged secret is not hashed a second time, since the hash is slow.
    const isReplaced = asItIsNow?.storedSecret != null && client.storedSecret?.equals(asItIsNow.storedSecret) !== true;
    if (!isReplaced || !(await this.isRight(asItIsNow, credentials.secret, turn))) throw refusal.clientSecretWrong();
    return asItIsNow;
  }

  /** An empty secret is never correct; it needs no slow hash, since it is not counted as a guess. */
  private async isRight({ storedSecret }: Client, secret: Secret, turn: Turn): Promise<boolean> {
    return secret.reveal() !== '' && this.secrets.isRight(storedSecret, secret, turn);
  }

  /** RFC 8705 §2.1 and §2.2. */
  private async checkCertificate(client: Client, certificate: ClientCertificate | undefined): Promise<void> {
    if (!certificate) throw refusal.clientCertificateMissing();
    const { x509, isVerified } = certificate;
    if (client.settings.authMethod === 'self_signed_tls_client_auth') {
      if (!(await this.keys.hasCertificate(client, x509.raw.toString('base64'))))
        throw refusal.clientCertificateWrong();
      return;
    }
    if (!isVerified) throw refusal.clientCertificateUnverified();
    const name = client.certificateName;
    if (!name || !hasName(x509, name)) throw refusal.clientCertificateWrong();
  }

  /** OIDC Core §9, `private_key_jwt`. */
  private async checkAssertion(credentials: Extract<Credentials, { method: 'private_key_jwt' }>): Promise<Client> {
    const now = this.clock.now();
    const assertion = await this.verify(credentials.assertion, now);
    if (credentials.clientId !== undefined && credentials.clientId !== assertion.issuer)
      throw refusal.clientAssertionBad();
    const client = await this.clients.findActive(assertion.issuer);
    if (!client) throw refusal.clientUnknown();
    if (!client.takesAlgorithm(assertion.algorithm)) throw refusal.clientAssertionBad(new JwtRefused('alg_of_profile'));
    // One string: a list that another server could be part of lets that server use the assertion here (CVE-2025-27370).
    if (client.mustNameIssuer && assertion.audience !== this.issuer.publicUrl)
      throw refusal.clientAssertionBad(new JwtRefused('aud_not_issuer'));
    if (client.mustNameAssertions && assertion.jti === undefined)
      throw refusal.clientAssertionBad(new JwtRefused('jti_missing'));
    if (!(await this.assertionUse.spend('client', assertion, now))) throw refusal.clientAssertionBad();
    return client;
  }

  private async verify(assertion: string, now: Date): Promise<Assertion> {
    try {
      return await verifyAssertion(assertion, {
        audiences: this.audiences,
        now,
        findKey: async (clientId, signedBy) => {
          const client = await this.clients.findActive(clientId);
          return client && this.keys.find(client, signedBy);
        },
      });
    } catch (error) {
      throw error instanceof JwtRefused ? refusal.clientAssertionBad(error) : error;
    }
  }
}

/** The client that the attempt names, proven or not: the one to protect from guessing. */
function nameOf(credentials: Credentials): string {
  if (credentials.clientId !== undefined) return credentials.clientId;
  return (credentials.method === 'private_key_jwt' ? issuerIn(credentials.assertion) : undefined) ?? 'by assertion';
}
