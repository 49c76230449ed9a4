import { Injectable } from '@nestjs/common';
import { Clock, type IdpHttp, type IdpIdentity, type IdpKind, type IdpLeaving, type IdpReturn } from 'gatehouse';
import { APPLE } from '../mark/marks.js';
import { withScopes } from '../openid/asked-scopes.js';
import { identityOf, isTrue } from '../openid/identity.js';
import { OpenidSignIn } from '../openid/openid-sign-in.js';
import type { OpenidVendor } from '../openid/openid-vendor.js';
import { VendorPlaces } from '../vendor-places.js';
import { AppleSettings } from './apple.settings.js';
import { clientSecretFor } from './client-secret.js';
import { saidNameIn } from './said-name.js';

@Injectable()
export class AppleKind implements IdpKind<AppleSettings> {
  readonly kind = 'ext:social-apple';
  readonly settings = AppleSettings;
  readonly mark = APPLE;
  readonly formFields = ['user'];

  constructor(
    private readonly openid: OpenidSignIn,
    private readonly places: VendorPlaces,
    private readonly clock: Clock,
  ) {}

  async authorizationUrl(leaving: IdpLeaving<AppleSettings>, http: IdpHttp): Promise<string> {
    return this.openid.authorizationUrl(leaving, http, this.vendorFor(leaving.settings));
  }

  async redeem(back: IdpReturn<AppleSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const vendor = this.vendorFor(back.settings);
    const client = { ...back.settings, clientId: back.clientId };
    const secret = await clientSecretFor(client, vendor.issuer, this.clock.now());
    const { subject, claims } = await this.openid.redeem(back, http, vendor, secret);
    const identity = identityOf(subject, claims, isTrue(claims['email_verified']));
    const name = saidNameIn(back.form['user']);
    return { ...name, ...identity, isNameUnproved: Object.keys(name).length > 0 };
  }

  private vendorFor({ scopes }: AppleSettings): OpenidVendor {
    const issuer = this.places.apple;
    return {
      issuer,
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      scopes: withScopes(['openid', 'name', 'email'], scopes),
      // With scopes, Apple answers by form alone.
      query: { response_mode: 'form_post' },
      prompts: { login: undefined, select_account: undefined },
      // Apple has none; its tokens carry the nonce.
      usesPkce: false,
    };
  }
}
