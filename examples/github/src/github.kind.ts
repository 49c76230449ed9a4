import { Injectable } from '@nestjs/common';
import type { IdpHttp, IdpIdentity, IdpKind, IdpLeaving, IdpReturn } from 'gatehouse';
import { IdpAnswerRefused } from 'gatehouse';
import { GithubSettings } from './github.settings.js';

type Email = { email: string; primary: boolean; verified: boolean };
type Return = IdpReturn<GithubSettings>;

/** GitHub's web application flow: OAuth 2.0 with PKCE, and an API that says who the user is. */
@Injectable()
export class GithubKind implements IdpKind<GithubSettings> {
  readonly kind = 'ext:github';
  readonly settings = GithubSettings;

  authorizationUrl(leaving: IdpLeaving<GithubSettings>): string {
    const query = new URLSearchParams({
      client_id: leaving.clientId,
      redirect_uri: leaving.callbackUrl,
      scope: 'read:user user:email',
      state: leaving.state,
      code_challenge: leaving.codeChallenge,
      code_challenge_method: 'S256',
      // GitHub can show its accounts, but asks nobody for a password again.
      ...(leaving.prompt === undefined ? {} : { prompt: 'select_account' }),
    });
    return `${leaving.settings.base}/login/oauth/authorize?${query}`;
  }

  async redeem(back: Return, http: IdpHttp): Promise<IdpIdentity> {
    const token = await this.tokenFor(back, http);
    const user = await this.read<{ id: number; login: string }>('/user', back, http, token);
    const emails = await this.read<Email[]>('/user/emails', back, http, token);
    if (typeof user.id !== 'number') throw new Error('GitHub does not say who the user is.');
    const primary = emails.find((one) => one.primary);
    return {
      // The number stays when the user takes another name; the name may later be somebody else's.
      subject: String(user.id),
      preferredUserName: user.login,
      ...(primary ? { email: primary.email, emailVerified: primary.verified } : {}),
    };
  }

  private async tokenFor(back: Return, http: IdpHttp): Promise<string> {
    const answer = await http.send({
      url: `${back.settings.base}/login/oauth/access_token`,
      headers: { Accept: 'application/json' },
      form: {
        client_id: back.clientId,
        client_secret: back.clientSecret,
        redirect_uri: back.callbackUrl,
        code: back.code,
        code_verifier: back.codeVerifier,
      },
    });
    // Refusals have the status 200, too.
    const { access_token: token, error } = answer.json<{ access_token?: string; error?: string }>();
    if (error === 'bad_verification_code') throw new IdpAnswerRefused(error);
    if (token === undefined) throw new Error(`GitHub has issued no token: ${error ?? answer.status}.`);
    return token;
  }

  private async read<T>(path: string, { settings: { base } }: Return, http: IdpHttp, token: string): Promise<T> {
    const api = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
    const headers = { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` };
    const answer = await http.send({ url: api + path, headers });
    if (answer.status !== 200) throw new Error(`GitHub answers ${path} with the status ${answer.status}.`);
    return answer.json<T>();
  }
}
