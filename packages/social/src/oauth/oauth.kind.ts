import { Injectable } from '@nestjs/common';
import {
  IdpAnswerRefused,
  type IdpHttp,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpReturn,
} from 'gatehouse';
import { objectIn } from '../answer/json-answer.js';
import { exchangeCode } from './code-exchange.js';
import { OauthSettings } from './oauth.settings.js';
import { identityIn } from './user-document.js';

/** Any server of plain OAuth 2.0 that says over HTTP who the user is. */
@Injectable()
export class OauthKind implements IdpKind<OauthSettings> {
  readonly kind = 'ext:social-oauth';
  readonly settings = OauthSettings;

  authorizationUrl(leaving: IdpLeaving<OauthSettings>): string {
    const { settings, clientId, callbackUrl, state, codeChallenge } = leaving;
    const url = new URL(settings.authorizationEndpoint);
    const asked = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callbackUrl,
      state,
      ...(settings.scopes.length === 0 ? {} : { scope: settings.scopes.join(' ') }),
      ...(settings.isWithoutPkce ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return url.href;
  }

  async redeem(back: IdpReturn<OauthSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const { settings } = back;
    // RFC 9207 §2.4
    if (settings.issuer !== '' && back.iss !== settings.issuer) throw new IdpAnswerRefused('iss_wrong');
    const { accessToken } = await exchangeCode(back, http, {
      url: settings.tokenEndpoint,
      usesPkce: !settings.isWithoutPkce,
      clientAuthentication: settings.sendsSecretInForm ? 'client_secret_post' : 'client_secret_basic',
      clientSecret: back.clientSecret,
    });
    if (accessToken === undefined) throw new Error('The provider has issued no token.');
    const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
    const answer = await http.send({ url: settings.userEndpoint, headers });
    if (answer.status !== 200) throw new Error(`The user endpoint answers with the status ${answer.status}.`);
    return identityIn(objectIn(answer), settings);
  }
}
