import { Injectable } from '@nestjs/common';
import type { IdpHttp, IdpHttpAnswer, IdpIdentity, IdpKind, IdpLeaving, IdpReturn } from 'gatehouse';
import { identifierOf, listIn, objectIn, textOf } from '../answer/json-answer.js';
import { GITHUB } from '../mark/marks.js';
import { exchangeCode } from '../oauth/code-exchange.js';
import { withScopes } from '../openid/asked-scopes.js';
import { GithubSettings } from './github.settings.js';
import { endpointsOf, type GithubEmail, primaryOf } from './github-api.js';

/** An app without the right to read addresses. */
const NO_ADDRESSES = [403, 404];

/** GitHub's web application flow: OAuth 2.0 with PKCE, and an API that says who the user is. */
@Injectable()
export class GithubKind implements IdpKind<GithubSettings> {
  readonly kind = 'ext:social-github';
  readonly settings = GithubSettings;
  readonly mark = GITHUB;

  authorizationUrl(leaving: IdpLeaving<GithubSettings>): string {
    const query = new URLSearchParams({
      client_id: leaving.clientId,
      redirect_uri: leaving.callbackUrl,
      scope: withScopes(['read:user', 'user:email'], leaving.settings.scopes).join(' '),
      state: leaving.state,
      code_challenge: leaving.codeChallenge,
      code_challenge_method: 'S256',
      // GitHub can show its accounts, but asks nobody for a password again.
      ...(leaving.prompt === undefined ? {} : { prompt: 'select_account' }),
      ...(leaving.loginHint === undefined ? {} : { login: leaving.loginHint }),
    });
    const url = new URL(endpointsOf(leaving.settings).authorization);
    for (const [name, value] of query) url.searchParams.set(name, value);
    return url.href;
  }

  async redeem(back: IdpReturn<GithubSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const endpoints = endpointsOf(back.settings);
    const { accessToken } = await exchangeCode(back, http, {
      url: endpoints.token,
      usesPkce: true,
      clientAuthentication: 'client_secret_post',
      clientSecret: back.clientSecret,
    });
    if (accessToken === undefined) throw new Error('GitHub has issued no token.');
    const read = async (url: string): Promise<IdpHttpAnswer> => {
      const headers = { Accept: 'application/vnd.github+json', Authorization: `Bearer ${accessToken}` };
      return http.send({ url, headers });
    };
    const answer = await read(endpoints.user);
    if (answer.status !== 200) throw new Error(`GitHub answers /user with the status ${answer.status}.`);
    const user = objectIn(answer);
    // The number stays when the user takes another name; the name may be somebody else's tomorrow.
    const subject = identifierOf(user['id']);
    if (subject === undefined || !/^\d+$/.test(subject)) throw new Error('GitHub does not say who the user is.');
    const [login, name] = [textOf(user, 'login'), textOf(user, 'name')];
    return {
      subject,
      ...(login === undefined ? {} : { preferredUserName: login }),
      ...(name === undefined ? {} : { name }),
      ...emailIn(await read(`${endpoints.user}/emails`)),
    };
  }
}

function emailIn(answer: IdpHttpAnswer): GithubEmail | undefined {
  if (NO_ADDRESSES.includes(answer.status)) return undefined;
  if (answer.status !== 200) throw new Error(`GitHub answers /user/emails with the status ${answer.status}.`);
  return primaryOf(listIn(answer));
}
