import { Injectable } from '@nestjs/common';
import {
  IdpAnswerRefused,
  type IdpHttp,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpReturn,
} from 'gatehouse';
import { textOf } from '../answer/json-answer.js';
import { GOOGLE } from '../mark/marks.js';
import { withScopes } from '../openid/asked-scopes.js';
import { identityOf, isTrue } from '../openid/identity.js';
import { OpenidSignIn } from '../openid/openid-sign-in.js';
import type { OpenidVendor } from '../openid/openid-vendor.js';
import { VendorPlaces } from '../vendor-places.js';
import { GoogleSettings } from './google.settings.js';

@Injectable()
export class GoogleKind implements IdpKind<GoogleSettings> {
  readonly kind = 'ext:social-google';
  readonly settings = GoogleSettings;
  readonly mark = GOOGLE;

  constructor(
    private readonly openid: OpenidSignIn,
    private readonly places: VendorPlaces,
  ) {}

  async authorizationUrl(leaving: IdpLeaving<GoogleSettings>, http: IdpHttp): Promise<string> {
    return this.openid.authorizationUrl(leaving, http, this.vendorFor(leaving.settings));
  }

  async redeem(back: IdpReturn<GoogleSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const { clientSecret, settings } = back;
    const { subject, claims } = await this.openid.redeem(back, http, this.vendorFor(settings), clientSecret);
    // The request proves nothing: whoever signs in can change it.
    const domain = textOf(claims, 'hd')?.toLowerCase();
    if (settings.hostedDomains.length > 0 && (domain === undefined || !settings.hostedDomains.includes(domain)))
      throw new IdpAnswerRefused('domain_not_allowed');
    return identityOf(subject, claims, isTrue(claims['email_verified']));
  }

  private vendorFor({ hostedDomains: [only, ...others], scopes }: GoogleSettings): OpenidVendor {
    const issuer = this.places.google;
    return {
      issuer,
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      scopes: withScopes(['openid', 'profile', 'email'], scopes),
      // Google knows no `login`, and lets users choose an account at most.
      prompts: { login: 'select_account', select_account: 'select_account' },
      usesPkce: true,
      ...(only === undefined ? {} : { query: { hd: others.length === 0 ? only : '*' } }),
    };
  }
}
