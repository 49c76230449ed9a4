import { Injectable } from '@nestjs/common';
import { RequestRate } from '../../foundation/attempt/request-rate.js';
import { IssuerConfig, LoginConfig, SelfDescribedConfig } from '../../foundation/config/config.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { SentAccessToken } from '../../foundation/http/access-token-header.js';
import { Tallies } from '../../foundation/metrics/tallies.js';
import { networkOf } from '../../foundation/network/network.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, toUnixSeconds } from '../../foundation/time/duration.js';
import { toMetadata } from '../../project/client/metadata/client-metadata.js';
import { MetadataRefused } from '../../project/client/metadata/metadata.errors.js';
import { ClientRegistration, type RegisteredByItself } from '../../project/registration/client-registration.js';
import { OAuthError, refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';

/** RFC 7591 §3.2.1 and RFC 7592 §3. */
export type RegistrationResponse = Readonly<Record<string, unknown>>;

/** What the token in the request is, as `readAccessToken` has read it. */
export type SentToken = SentAccessToken | 'missing' | 'malformed';

/** RFC 7591 and RFC 7592, in the words of the protocol. */
@Injectable()
export class RegisterEndpoint {
  private readonly rate: RequestRate;

  constructor(
    private readonly registration: ClientRegistration,
    private readonly config: SelfDescribedConfig,
    private readonly issuer: IssuerConfig,
    private readonly limits: LoginConfig,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
  ) {
    this.rate = new RequestRate(config.registrationsPerMinute, seconds.perMinute);
  }

  /** @throws OAuthError; DomainError ResourceExhausted for too many requests from one network */
  async register(sent: SentToken, body: () => Promise<unknown>, address: string): Promise<RegistrationResponse> {
    this.count(address);
    const isOpen = this.config.registration === 'open' && sent === 'missing';
    const token = isOpen ? undefined : tokenIn(sent);
    return this.toAnswer('registered', async () => this.registration.register(token, await metadataIn(body)));
  }

  async read(sent: SentToken, clientId: string): Promise<RegistrationResponse> {
    return this.toAnswer('read', async () => this.registration.read(tokenIn(sent), clientId));
  }

  async replace(
    sent: SentToken,
    clientId: string,
    body: () => Promise<unknown>,
    address: string,
  ): Promise<RegistrationResponse> {
    this.count(address);
    const token = tokenIn(sent);
    return this.toAnswer('changed', async () => this.registration.replace(token, clientId, await metadataIn(body)));
  }

  async remove(sent: SentToken, clientId: string): Promise<void> {
    await this.tallied('removed', async () => this.registration.remove(tokenIn(sent), clientId));
  }

  /** Registrations and changes, with or without a token: what writes. */
  private count(address: string): void {
    if (this.limits.limits) this.rate.count(networkOf(address), this.clock.now());
  }

  private async toAnswer(what: string, work: () => Promise<RegisteredByItself>): Promise<RegistrationResponse> {
    const { row, secret, accessToken, idTokenAlgorithm } = await this.tallied(what, work);
    const about = row.about ?? { name: row.name };
    return {
      client_id: row.clientId,
      client_id_issued_at: toUnixSeconds(row.creationDate),
      ...(secret && { client_secret: secret.reveal(), client_secret_expires_at: 0 }),
      registration_access_token: accessToken,
      registration_client_uri: `${this.issuer.publicUrl}${endpoints.registration}/${encodeURIComponent(row.clientId)}`,
      ...toMetadata({ ...row, about }),
      id_token_signed_response_alg: idTokenAlgorithm,
      ...(row.signedUserinfo && { userinfo_signed_response_alg: idTokenAlgorithm }),
    };
  }

  private async tallied<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.tallies.add('registrations', what);
      return result;
    } catch (error) {
      this.tallies.add('registrations', 'refused');
      if (error instanceof MetadataRefused) throw new OAuthError(error.error, error.reason, error.message);
      if (error instanceof DomainError && error.reason === 'registration.token_refused') throw refusal.bearerDead();
      throw error;
    }
  }
}

/** @throws OAuthError invalid_token; invalid_request if there is no single token */
function tokenIn(sent: SentToken): string {
  if (sent === 'missing') throw refusal.bearerMissing();
  if (sent === 'malformed' || sent.scheme !== 'Bearer') throw refusal.bearerMalformed();
  return sent.token;
}

function toMetadataObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new MetadataRefused('invalid_client_metadata', 'The body', 'must be a JSON object');
  return body as Readonly<Record<string, unknown>>;
}

/** RFC 7591 §3.2.2: what is wrong with a member of the body is wrong with the metadata. */
async function metadataIn(body: () => Promise<unknown>): Promise<ReturnType<typeof toMetadataObject>> {
  try {
    return toMetadataObject(await body());
  } catch (error) {
    const [first] = error instanceof DomainError ? (error.violations ?? []) : [];
    throw first ? new MetadataRefused('invalid_client_metadata', first.field, first.description) : error;
  }
}
