import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../outbound/outbound.module.js';
import { IdpLink } from './idp-link.entity.js';
import { IdpLogin } from './idp-login.entity.js';
import { IdpLinks } from './idp-links.service.js';
import { IdpProbe } from './idp-probe.service.js';
import { IdpSearch } from './idp-search.service.js';
import { Idp } from './idp.entity.js';
import { IdpService } from './idp.service.js';
import { LoginPolicyIdp } from './login-policy-idp.entity.js';
import { LoginPolicyIdps } from './login-policy-idps.service.js';

@Module({
  imports: [OutboundModule, TypeOrmModule.forFeature([Idp, IdpLink, IdpLogin, LoginPolicyIdp])],
  providers: [IdpLinks, IdpProbe, IdpSearch, IdpService, LoginPolicyIdps],
  exports: [IdpLinks, IdpProbe, IdpSearch, IdpService, LoginPolicyIdps],
})
export class IdpModule {}
