import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { JwtRefused } from '../../foundation/crypto/jwt-verifier.js';
import { Form } from '../../foundation/http/form.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { ClientKeys } from '../../project/client/client-keys.js';
import { refusal } from '../oidc.errors.js';
import { RESOURCE } from '../requested-resources.js';
import { isUnsignedOrEncrypted, verifySignedRequest } from './signed-request.js';

/** Members that are about the JWT itself, and no parameters. */
const OF_THE_JWT = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);

/** Signed authorization requests by value (RFC 9101, OIDC Core §6.1). */
@Injectable()
export class RequestObjects {
  constructor(
    private readonly keys: ClientKeys,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * The parameters in the object. Those beside it do not count (RFC 9101 §6.3), but `response_type` must be the same
   * where it is in both (OIDC Core §6.1).
   * @throws OAuthError `invalid_request_object`; `request_not_supported` for an unsigned or encrypted one
   */
  async open(text: string, client: Client, beside: Form): Promise<Form> {
    if (isUnsignedOrEncrypted(text)) throw refusal.requestUnsupported();
    const members = await this.verify(text, client);
    const form = toForm(members);
    const responseType = beside.find('response_type');
    if (responseType !== undefined && responseType !== form.find('response_type'))
      throw refusal.requestObjectBad(new JwtRefused('response_type_differs'));
    return form;
  }

  private async verify(text: string, client: Client): Promise<Readonly<Record<string, unknown>>> {
    try {
      return await verifySignedRequest(text, {
        clientId: client.id,
        issuer: this.issuer.publicUrl,
        now: this.clock.now(),
        takesAlgorithm: (algorithm) => client.takesAlgorithm(algorithm),
        mustExpire: client.isStrict,
        findKey: async (signedBy) => this.keys.find(client, signedBy),
      });
    } catch (error) {
      throw error instanceof JwtRefused ? refusal.requestObjectBad(error) : error;
    }
  }
}

/** The members as if they had been sent as parameters. What JSON can express and a parameter cannot is refused. */
function toForm(members: Readonly<Record<string, unknown>>): Form {
  const pairs = Object.entries(members)
    .filter(([name]) => !OF_THE_JWT.has(name))
    .flatMap(([name, value]) => toTexts(name, value).map((text) => [name, text]));
  return Form.parse(new URLSearchParams(pairs).toString());
}

function toTexts(name: string, value: unknown): string[] {
  if (typeof value === 'string' && isPossible(value)) return [value];
  if (name === 'max_age' && Number.isSafeInteger(value)) return [String(value)];
  if (name === 'claims' && typeof value === 'object' && value !== null) return [JSON.stringify(value)];
  if (name === RESOURCE && Array.isArray(value) && value.every((each) => typeof each === 'string' && isPossible(each)))
    return value as string[];
  throw refusal.requestObjectBad(new JwtRefused('member_malformed'));
}

/** No parameter can contain half a surrogate pair, or NUL. */
function isPossible(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
