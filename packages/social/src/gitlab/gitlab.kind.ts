import { Injectable } from '@nestjs/common';
import type { IdpHttp, IdpIdentity, IdpKind, IdpLeaving, IdpReturn, JsonObject } from 'gatehouse';
import { textOf } from '../answer/json-answer.js';
import { GITLAB } from '../mark/marks.js';
import { withScopes } from '../openid/asked-scopes.js';
import { identityOf, isTrue } from '../openid/identity.js';
import { OpenidSignIn } from '../openid/openid-sign-in.js';
import type { OpenidVendor } from '../openid/openid-vendor.js';
import { GitlabSettings } from './gitlab.settings.js';

const GITLAB_COM = 'https://gitlab.com';

@Injectable()
export class GitlabKind implements IdpKind<GitlabSettings> {
  readonly kind = 'ext:social-gitlab';
  readonly settings = GitlabSettings;
  readonly mark = GITLAB;

  constructor(private readonly openid: OpenidSignIn) {}

  async authorizationUrl(leaving: IdpLeaving<GitlabSettings>, http: IdpHttp): Promise<string> {
    return this.openid.authorizationUrl(leaving, http, vendorFor(leaving.settings));
  }

  async redeem(back: IdpReturn<GitlabSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const { subject, claims, userInfo } = await this.openid.redeem(
      back,
      http,
      vendorFor(back.settings),
      back.clientSecret,
    );
    // Older ones say the address at the UserInfo endpoint alone; an address and its proof are of one document.
    const described: JsonObject = textOf(claims, 'email') === undefined ? await userInfo() : claims;
    return identityOf(subject, { ...claims, ...described }, isTrue(described['email_verified']));
  }
}

function vendorFor({ base, scopes }: GitlabSettings): OpenidVendor {
  const issuer = base === '' ? GITLAB_COM : base;
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    scopes: withScopes(['openid', 'profile', 'email'], scopes),
    prompts: { login: 'login', select_account: undefined },
    usesPkce: true,
  };
}
