import { Injectable } from '@nestjs/common';
import type { IdpHttp, IdpIdentity, IdpKind, IdpLeaving, IdpReturn } from 'gatehouse';
import { MICROSOFT } from '../mark/marks.js';
import { withScopes } from '../openid/asked-scopes.js';
import { identityOf } from '../openid/identity.js';
import { OpenidSignIn } from '../openid/openid-sign-in.js';
import type { OpenidVendor } from '../openid/openid-vendor.js';
import { EntraSettings } from './entra.settings.js';
import { authorityOf, isAddressVerified, issuerFor, subjectOf, tenantOf } from './tenants.js';

/** Microsoft Entra ID. The token says all that is taken of it; the directory behind it is never asked. */
@Injectable()
export class EntraKind implements IdpKind<EntraSettings> {
  readonly kind = 'ext:social-entra';
  readonly settings = EntraSettings;
  readonly mark = MICROSOFT;

  constructor(private readonly openid: OpenidSignIn) {}

  async authorizationUrl(leaving: IdpLeaving<EntraSettings>, http: IdpHttp): Promise<string> {
    return this.openid.authorizationUrl(leaving, http, vendorFor(leaving.settings));
  }

  async redeem(back: IdpReturn<EntraSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const { clientSecret, settings } = back;
    const { claims } = await this.openid.redeem(back, http, vendorFor(settings), clientSecret);
    const tenant = tenantOf(claims, settings.tenants);
    const isVerified = isAddressVerified(claims, tenant, settings.verifiedDomains);
    return identityOf(subjectOf(claims, tenant), claims, isVerified);
  }
}

function vendorFor(settings: EntraSettings): OpenidVendor {
  const { authority, issuer } = authorityOf(settings);
  return {
    issuer,
    discoveryUrl: `${authority}/v2.0/.well-known/openid-configuration`,
    issuerOf: (claims) => issuerFor(issuer, tenantOf(claims, settings.tenants)),
    scopes: withScopes(['openid', 'profile', 'email'], settings.scopes),
    prompts: { login: 'login', select_account: 'select_account' },
    usesPkce: true,
  };
}
