import { Injectable } from '@nestjs/common';
import { Clock, IdpAnswerRefused, type IdpHttp, type IdpLeaving, type IdpReturn, type JsonObject } from 'gatehouse';
import { objectIn, textOf } from '../answer/json-answer.js';
import { exchangeCode, type TokenAnswer } from '../oauth/code-exchange.js';
import { keysIn, type TokenExpectation, unverifiedClaims, verifyIdToken } from './id-token.js';
import { KeptDocuments } from './kept-documents.js';
import { type Metadata, readMetadata } from './metadata.js';
import type { OpenidVendor } from './openid-vendor.js';

/** Keys are fetched for a token whose key is not among them, but not more often. */
const KEYS_AGAIN_MS = 30_000;

/** Who has signed in, as the verified token says. */
export interface OpenidAnswer {
  /** OIDC Core §2 */
  readonly subject: string;
  readonly claims: JsonObject;
  /** What the UserInfo endpoint adds; empty if it does not answer. */
  readonly userInfo: () => Promise<JsonObject>;
}

/** Signs in at vendors that speak OpenID Connect, by the code flow. */
@Injectable()
export class OpenidSignIn {
  constructor(
    private readonly documents: KeptDocuments,
    private readonly clock: Clock,
  ) {}

  async authorizationUrl(leaving: IdpLeaving, http: IdpHttp, vendor: OpenidVendor): Promise<string> {
    const { providerId, clientId, callbackUrl, state, nonce, codeChallenge, prompt, loginHint, maxAgeSeconds } =
      leaving;
    const { authorizationEndpoint } = await this.metadata(providerId, http, vendor);
    const url = new URL(authorizationEndpoint);
    const asked = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callbackUrl,
      scope: vendor.scopes.join(' '),
      state,
      nonce,
      ...(vendor.usesPkce ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
      prompt: prompt && vendor.prompts[prompt],
      login_hint: loginHint,
      max_age: maxAgeSeconds === undefined ? undefined : String(maxAgeSeconds),
      ...vendor.query,
    };
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * @param clientSecret as it is sent to the token endpoint
   * @throws IdpAnswerRefused if the code or the token proves nothing
   */
  async redeem(back: IdpReturn, http: IdpHttp, vendor: OpenidVendor, clientSecret: string): Promise<OpenidAnswer> {
    const metadata = await this.metadata(back.providerId, http, vendor);
    const tokens = await exchangeCode(back, http, {
      url: metadata.tokenEndpoint,
      usesPkce: vendor.usesPkce,
      clientAuthentication: 'client_secret_post',
      clientSecret,
    });
    const { idToken } = tokens;
    if (idToken === undefined) throw new Error('The provider has issued no ID token.');
    const issuer = vendor.issuerOf?.(unverifiedClaims(idToken)) ?? vendor.issuer;
    // RFC 9207 §2.4: the answer of another provider than the one that was asked.
    if (back.iss === undefined ? metadata.namesItself : back.iss !== issuer) throw new IdpAnswerRefused('iss_wrong');
    const { nonce, clientId: audience } = back;
    const claims = await this.verify(idToken, { issuer, audience, nonce, now: this.clock.now() }, (freshMs) =>
      this.documents.get({ providerId: back.providerId, url: metadata.keysUrl }, http, freshMs),
    );
    const subject = textOf(claims, 'sub');
    if (subject === undefined) throw new Error('The ID token does not say who the user is.');
    return { subject, claims, userInfo: () => userInfo(metadata, tokens, subject, http) };
  }

  private async verify(
    token: string,
    expected: TokenExpectation,
    keySet: (freshMs?: number) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const claims =
      (await verifyIdToken(token, keysIn(await keySet()), expected)) ??
      (await verifyIdToken(token, keysIn(await keySet(KEYS_AGAIN_MS)), expected));
    if (!claims) throw new IdpAnswerRefused('token_key_unknown');
    return claims;
  }

  private async metadata(providerId: string, http: IdpHttp, vendor: OpenidVendor): Promise<Metadata> {
    return readMetadata(await this.documents.get({ providerId, url: vendor.discoveryUrl }, http), vendor);
  }
}

/**
 * Descriptive: the token has said who it is, so that nothing is lost if this fails.
 * @throws IdpAnswerRefused if it is about somebody else (OIDC Core §5.3.2)
 */
async function userInfo(
  { userInfoEndpoint }: Metadata,
  { accessToken }: TokenAnswer,
  subject: string,
  http: IdpHttp,
): Promise<JsonObject> {
  if (userInfoEndpoint === undefined || accessToken === undefined) return {};
  let claims: JsonObject;
  try {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
    const answer = await http.send({ url: userInfoEndpoint, headers });
    if (answer.status !== 200) return {};
    claims = objectIn(answer);
  } catch {
    return {};
  }
  if (textOf(claims, 'sub') !== subject) throw new IdpAnswerRefused('userinfo_of_another');
  return claims;
}
