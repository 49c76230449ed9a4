import { Injectable } from '@nestjs/common';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  fetchUserInfo,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client';
import { IssuerConfig } from '../foundation/config/config.js';
import { unstorableMember } from '../foundation/crypto/json-members.js';
import { TOLERANCE_SECONDS } from '../foundation/crypto/jwt-verifier.js';
import { SIGNATURE_ALGORITHMS } from '../foundation/crypto/verification-key.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Logger } from '../foundation/log/logger.js';
import { type JsonObject, OutboundClient } from '../foundation/outbound/outbound-client.js';
import { Clock, millisecondsNow } from '../foundation/time/clock.js';
import { paths, type ServicePath } from '../org/instance/paths.js';
import { callbackUrl } from './callback-url.js';
import { isBare, toExternalIdentity } from './external-identity.js';
import { momentOfProof } from './external-proof.js';
import type { Idp } from './idp.entity.js';
import { answerRefused, providerDeclined, providerFailed } from './idp.errors.js';
import type { LoginSecrets, TakenIdpLogin } from './idp-logins.js';
import type { OidcOptions } from './idp-rules.js';
import { IdpSecrets } from './idp-secrets.js';
import { ProviderDocuments, type ProviderMetadata } from './provider-documents.js';
import type { IdpProof, Leaving, ProviderAnswer, ProviderKind } from './provider-kind.js';
import { authTimeOf, type TokenClaims, TokenVerifier } from './token-verifier.js';

/** Requested by default: what an account needs. */
const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'phone'];
const LIMIT_SECONDS = 10;
/** Statuses for which a `Response` has no body (Fetch §2.2.3). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Signs in users at an OpenID provider by the code flow with PKCE. openid-client implements the protocol, and sends
 * every request through our outbound client; our verifier checks keys and tokens (ADR 19).
 */
@Injectable()
export class OidcSignIn implements ProviderKind {
  readonly returnsWithCode = true;

  constructor(
    private readonly documents: ProviderDocuments,
    private readonly verifier: TokenVerifier,
    private readonly secrets: IdpSecrets,
    private readonly outbound: OutboundClient,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  returnsTo(): ServicePath {
    return paths.externalCallback;
  }

  async authorizationUrl(idp: Idp, { state, nonce, codeVerifier, ...wish }: Leaving): Promise<string> {
    const metadata = await this.documents.metadataOf(idp);
    const scopes = idp.scopes.length === 0 ? DEFAULT_SCOPES : [...new Set(['openid', ...idp.scopes])];
    const isPromptKnown =
      wish.prompt !== 'select_account' || metadata.prompts === undefined || metadata.prompts.includes(wish.prompt);
    const wantsForm =
      metadata.responseModes !== undefined &&
      !metadata.responseModes.includes('query') &&
      metadata.responseModes.includes('form_post');
    return buildAuthorizationUrl(this.configurationOf(idp, metadata), {
      redirect_uri: callbackUrl(idp, this.issuer),
      scope: scopes.join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(wish.loginHint === undefined ? {} : { login_hint: wish.loginHint }),
      ...(wish.prompt !== undefined && isPromptKnown ? { prompt: wish.prompt } : {}),
      ...(wish.maxAgeSeconds === undefined ? {} : { max_age: String(wish.maxAgeSeconds) }),
      ...(wantsForm ? { response_mode: 'form_post' } : {}),
    }).href;
  }

  async redeem(
    idp: Idp,
    answer: ProviderAnswer,
    { nonce, codeVerifier, provedAfter }: TakenIdpLogin,
  ): Promise<IdpProof> {
    const metadata = await this.documents.metadataOf(idp);
    const configuration = this.configurationOf(idp, metadata);
    const { idToken, accessToken } = await this.exchange(idp, configuration, answer, { nonce, codeVerifier });
    const claims = await this.verifier.verify(idToken, {
      issuer: idp.issuer,
      audiences: [idp.clientId],
      keysUrl: metadata.keysUrl,
      ownerId: idp.ownerId,
    });
    checkClaims(claims, idp.clientId, nonce);
    const authTime = authTimeOf(claims, provedAfter, this.clock.nowSeconds());
    const subject = claims.sub;
    return {
      subject,
      provedAt: momentOfProof(authTime, provedAfter, this.clock.now()),
      describe: async () => {
        const identity = toExternalIdentity(subject, claims);
        const { isIdTokenMapping } = idp.settings as OidcOptions;
        if (isIdTokenMapping || !isBare(identity) || metadata.userInfoEndpoint === undefined) return identity;
        return toExternalIdentity(subject, claims, await this.userInfo(configuration, accessToken, subject));
      },
    };
  }

  private async exchange(
    idp: Idp,
    configuration: Configuration,
    answer: ProviderAnswer,
    { nonce, codeVerifier }: Pick<LoginSecrets, 'nonce' | 'codeVerifier'>,
  ): Promise<{ idToken: string; accessToken: string }> {
    const url = new URL(callbackUrl(idp, this.issuer));
    for (const [name, value] of Object.entries(answer))
      if (typeof value === 'string') url.searchParams.set(name, value);
    try {
      const answered = await authorizationCodeGrant(configuration, url, {
        expectedState: answer.state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      return { idToken: answered.id_token ?? '', accessToken: answered.access_token };
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /**
   * Descriptive only: if it is unavailable, the account is created from the token. A different `sub` is refused (OIDC
   * Core §5.3.2).
   */
  private async userInfo(configuration: Configuration, accessToken: string, subject: string): Promise<JsonObject> {
    try {
      return await fetchUserInfo(configuration, accessToken, subject);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
        throw answerRefused('userinfo_of_another');
      this.log.warn(
        {
          reason: 'idp.userinfo_failed',
          detail: toDomainError(error).cause,
          issuer: configuration.serverMetadata().issuer,
        },
        'userinfo of identity provider not read',
      );
      return {};
    }
  }

  private configurationOf(idp: Idp, metadata: ProviderMetadata): Configuration {
    const server: ServerMetadata = {
      issuer: metadata.issuer,
      authorization_endpoint: metadata.authorizationEndpoint,
      token_endpoint: metadata.tokenEndpoint,
      authorization_response_iss_parameter_supported: metadata.namesItself,
      id_token_signing_alg_values_supported: [...SIGNATURE_ALGORITHMS],
      ...(metadata.userInfoEndpoint === undefined ? {} : { userinfo_endpoint: metadata.userInfoEndpoint }),
    };
    const secret = this.secrets.openClientSecret(idp);
    const authentication = metadata.clientAuthMethods.includes('client_secret_basic')
      ? ClientSecretBasic(secret)
      : ClientSecretPost(secret);
    const client: Partial<ClientMetadata> = {
      // The library reads the machine's time; the offset makes it use our clock.
      [clockSkew]: this.clock.nowSeconds() - Math.floor(millisecondsNow() / 1000),
      [clockTolerance]: TOLERANCE_SECONDS,
    };
    const configuration = new Configuration(server, idp.clientId, client, authentication);
    configuration[customFetch] = async (url, options) => {
      const response = await this.send(idp.ownerId, url, options);
      return isJwt(response) ? this.opened(await response.text(), idp, metadata) : response;
    };
    configuration.timeout = LIMIT_SECONDS;
    // The outbound client decides which addresses may be called without encryption, and has been asked already.
    if (
      [metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.userInfoEndpoint ?? ''].some((url) =>
        url.startsWith('http:'),
      )
    )
      allowInsecureRequests(configuration);
    return configuration;
  }

  /** A signed UserInfo answer, once it is verified, as if it had come as JSON. */
  private async opened(
    text: string,
    { issuer, clientId, ownerId }: Idp,
    metadata: ProviderMetadata,
  ): Promise<Response> {
    const rules = { issuer, audiences: [clientId], keysUrl: metadata.keysUrl, ownerId };
    return Response.json(await this.verifier.verifyUserInfo(text, rules));
  }

  private async send(ownerId: string, ...[url, { method, headers, body }]: Parameters<CustomFetch>): Promise<Response> {
    const answer = await this.outbound.send({
      url,
      ownerId,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body === undefined || body === null ? {} : { body: (body as URLSearchParams).toString() }),
    });
    checkStorable(answer.body);
    const type = answer.headers['content-type'];
    return new Response(WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: type === undefined ? {} : { 'Content-Type': type },
    });
  }
}

function isJwt(response: Response): boolean {
  return /^application\/jwt\s*(;|$)/i.test(response.headers.get('Content-Type') ?? '');
}

/**
 * Checks that an answer can be stored, as what the library reads from it may come to be. An answer that is not JSON is
 * refused by the library, or is a JWT.
 * @throws DomainError
 */
function checkStorable(body: Buffer): void {
  if (!body.includes('\\u')) return;
  const text = body.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  if (unstorableMember(text, value) !== undefined) throw answerRefused('not_storable');
}

/** Requirements of OIDC Core §3.1.3.7 beyond those for every token. */
function checkClaims(claims: TokenClaims, clientId: string, nonce: string): void {
  const { aud, azp } = claims;
  if ((Array.isArray(aud) && aud.length > 1 && azp === undefined) || (azp !== undefined && azp !== clientId))
    throw answerRefused('token_azp_wrong');
  if (claims['nonce'] !== nonce) throw answerRefused('token_nonce_wrong');
}

/** RFC 6749 §4.1.2.1, §5.2 and OIDC Core §3.1.2.6: an error code; anything else is not quoted. */
const ERROR_WORD = /^[a-z_]{1,40}$/;

/** Errors of openid-client may contain a whole response, or our secret: only error codes are passed on (IDP-025). */
function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) {
    // Only groups and the like make an answer this long, and only the administrator of the provider can change that.
    if (error.reason === 'outbound.too_large') return answerRefused('too_many_claims');
    return error.reason.startsWith('outbound.') ? providerFailed(error.reason) : error;
  }
  if (error instanceof AuthorizationResponseError) return providerDeclined(wordOf(error.error));
  if (error instanceof ResponseBodyError) {
    const detail = `answered_${wordOf(error.error)}`;
    // RFC 6749 §5.2: only the first of these is about the code that the browser brought.
    return error.error === 'invalid_grant' ? answerRefused(detail) : providerFailed(detail);
  }
  if (!(error instanceof ClientError)) return answerRefused('malformed');
  if (error.cause instanceof DomainError) return toDomainError(error.cause);
  const detail = (error.code ?? 'failed').toLowerCase();
  // The library has one code for two errors: a response that is not JSON, and an invalid token.
  const isTokenUnreadable =
    detail.includes('parse_error') && /jwt/i.test((error.cause as Error | undefined)?.message ?? '');
  return /not_conform|not_json|parse_error|timeout|abort/.test(detail) && !isTokenUnreadable
    ? providerFailed(detail)
    : answerRefused(detail);
}

function wordOf(error: string): string {
  return ERROR_WORD.test(error) ? error : 'unknown_error';
}
