import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { Idp } from './idp.entity.js';
import { IdpService } from './idp.service.js';
import { IdpLink } from './idp-link.entity.js';
import { IdpLinks } from './idp-links.js';
import { IdpLogin } from './idp-login.entity.js';
import { IdpLogins } from './idp-logins.js';
import { IdpProbe } from './idp-probe.js';
import { IdpSearch } from './idp-search.js';
import { JwtSignIn } from './jwt-sign-in.js';
import { LoginPolicyIdp } from './login-policy-idp.entity.js';
import { LoginPolicyIdps } from './login-policy-idps.js';
import { OfferedIdps } from './offered-idps.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { ProviderDocuments } from './provider-documents.js';
import { TokenVerifier } from './token-verifier.js';

@Module({
  imports: [OutboundModule, TypeOrmModule.forFeature([Idp, IdpLink, IdpLogin, LoginPolicyIdp])],
  providers: [
    IdpLinks,
    IdpLogins,
    IdpProbe,
    IdpSearch,
    IdpService,
    JwtSignIn,
    LoginPolicyIdps,
    OfferedIdps,
    OidcSignIn,
    ProviderDocuments,
    TokenVerifier,
  ],
  exports: [IdpLinks, IdpLogins, IdpProbe, IdpSearch, IdpService, JwtSignIn, LoginPolicyIdps, OfferedIdps, OidcSignIn],
})
export class IdpModule {}
