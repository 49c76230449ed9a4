import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DayCountModule } from '../foundation/day-count/day-count.module.js';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { DirectorySignIn } from './directory-sign-in.js';
import { ExtKindSignIn } from './ext-kind-sign-in.js';
import { ExtKinds } from './ext-kinds.js';
import { Idp } from './idp.entity.js';
import { IdpService } from './idp.service.js';
import { IdpKinds } from './idp-kinds.js';
import { IdpLink } from './idp-link.entity.js';
import { IdpLinks } from './idp-links.js';
import { IdpLogin } from './idp-login.entity.js';
import { IdpLogins } from './idp-logins.js';
import { IdpProbe } from './idp-probe.js';
import { IdpSearch } from './idp-search.js';
import { IdpSecrets } from './idp-secrets.js';
import { IdpTest } from './idp-test.entity.js';
import { JwtSignIn } from './jwt-sign-in.js';
import { LoginPolicyIdp } from './login-policy-idp.entity.js';
import { LoginPolicyIdps } from './login-policy-idps.js';
import { OfferedIdps } from './offered-idps.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { ProviderDocuments } from './provider-documents.js';
import { ProviderGroups } from './provider-groups.js';
import { ProviderRecord } from './provider-record.js';
import { TokenVerifier } from './token-verifier.js';

@Module({
  imports: [
    DayCountModule,
    InstanceModule,
    OutboundModule,
    PolicyModule,
    TypeOrmModule.forFeature([Idp, IdpLink, IdpLogin, IdpTest, LoginPolicyIdp]),
  ],
  providers: [
    DirectorySignIn,
    IdpKinds,
    IdpLinks,
    IdpLogins,
    IdpProbe,
    IdpSearch,
    IdpSecrets,
    IdpService,
    JwtSignIn,
    LoginPolicyIdps,
    OfferedIdps,
    OidcSignIn,
    ExtKindSignIn,
    ExtKinds,
    ProviderDocuments,
    ProviderGroups,
    ProviderRecord,
    TokenVerifier,
  ],
  exports: [
    DirectorySignIn,
    IdpKinds,
    IdpLinks,
    IdpLogins,
    IdpProbe,
    IdpSearch,
    IdpSecrets,
    IdpService,
    JwtSignIn,
    LoginPolicyIdps,
    OfferedIdps,
    ExtKindSignIn,
    ExtKinds,
    ProviderGroups,
    ProviderRecord,
  ],
})
export class IdpModule {}
