import { IdpAnswerRefused, type IdpHttp, type IdpReturn } from 'gatehouse';
import { objectIn, textOf } from '../answer/json-answer.js';

/** RFC 6749 §5.1 and OIDC Core §3.1.3.3 */
export interface TokenAnswer {
  readonly accessToken: string | undefined;
  readonly idToken: string | undefined;
}

export interface TokenEndpoint {
  readonly url: string;
  /** RFC 7636 */
  readonly usesPkce: boolean;
  /** RFC 7591 §2 */
  readonly clientAuthentication: 'client_secret_basic' | 'client_secret_post';
  readonly clientSecret: string;
}

/** Errors that are about the code which the browser has brought (RFC 6749 §5.2; the second is GitHub's). */
const ABOUT_THE_CODE = ['invalid_grant', 'bad_verification_code'];
const WORD = /^[a-z_]{1,40}$/;

/**
 * The tokens for a code (RFC 6749 §4.1.3).
 * @throws IdpAnswerRefused if the code is none; Error if the provider does not answer as it should
 */
export async function exchangeCode(back: IdpReturn, http: IdpHttp, endpoint: TokenEndpoint): Promise<TokenAnswer> {
  const { clientId, callbackUrl, code, codeVerifier } = back;
  const { url, usesPkce, clientAuthentication, clientSecret } = endpoint;
  const isBasic = clientAuthentication === 'client_secret_basic';
  const answer = await http.send({
    url,
    headers: { Accept: 'application/json', ...(isBasic ? basic(clientId, clientSecret) : {}) },
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callbackUrl,
      ...(usesPkce ? { code_verifier: codeVerifier } : {}),
      ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
    },
  });
  const tokens = objectIn(answer);
  // GitHub refuses with the status 200.
  const error = textOf(tokens, 'error');
  if (error !== undefined && ABOUT_THE_CODE.includes(error)) throw new IdpAnswerRefused(error);
  const word = error !== undefined && WORD.test(error) ? error : 'unknown_error';
  if (answer.status !== 200 || error !== undefined)
    throw new Error(`The provider has issued no token: status ${answer.status}, ${word}.`);
  return { accessToken: textOf(tokens, 'access_token'), idToken: textOf(tokens, 'id_token') };
}

/** RFC 6749 §2.3.1: both are encoded as in a form before they are joined. */
function basic(clientId: string, clientSecret: string): Record<string, string> {
  const [id, secret] = [clientId, clientSecret].map((text) => new URLSearchParams({ _: text }).toString().slice(2));
  return { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
