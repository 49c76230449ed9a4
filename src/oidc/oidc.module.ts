import { Module } from '@nestjs/common';
import { DayCountModule } from '../foundation/day-count/day-count.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { ProjectModule } from '../project/project.module.js';
import { RegistrationModule } from '../project/registration/registration.module.js';
import { UserGrantModule } from '../project/user-grant/user-grant.module.js';
import { AuthRequestModule } from '../session/auth-request/auth-request.module.js';
import { SessionModule } from '../session/session.module.js';
import { DeviceModule } from '../token/device/device.module.js';
import { KeyModule } from '../token/key/key.module.js';
import { TokenModule } from '../token/token.module.js';
import { UserModule } from '../user/user.module.js';
import { AskedRequests } from './authorize/asked-request.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AuthorizeEndpoint } from './authorize/authorize.endpoint.js';
import { AuthorizeResponse } from './authorize/authorize-response.js';
import { ImplicitAnswerer } from './authorize/implicit-answerer.js';
import { PushedRequests } from './authorize/pushed-request.js';
import { RequestObjects } from './authorize/request-object.js';
import { RequestReader } from './authorize/request-reader.js';
import { RequiredOrgs } from './authorize/required-orgs.js';
import { ClientAuthenticator } from './client-auth/client-authenticator.js';
import { GuessLimit } from './client-auth/guess-limit.js';
import { DeviceController } from './device/device.controller.js';
import { DeviceEndpoint } from './device/device.endpoint.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { Metadata } from './discovery/metadata.js';
import { OAuthMetadataController } from './discovery/oauth-metadata.controller.js';
import { DroppedScopes } from './dropped-scopes.js';
import { EndSessionController } from './end-session/end-session.controller.js';
import { EndSessionEndpoint } from './end-session/end-session.endpoint.js';
import { IntrospectController } from './introspect/introspect.controller.js';
import { IntrospectEndpoint } from './introspect/introspect.endpoint.js';
import { KeysController } from './keys/keys.controller.js';
import { ParController } from './par/par.controller.js';
import { ParEndpoint } from './par/par.endpoint.js';
import { RegisterController } from './register/register.controller.js';
import { RegisterEndpoint } from './register/register.endpoint.js';
import { RequestedResources } from './requested-resources.js';
import { RevokeController } from './revoke/revoke.controller.js';
import { RevokeEndpoint } from './revoke/revoke.endpoint.js';
import { AuthorizationCodeGrant } from './token/grant/authorization-code.grant.js';
import { ClientCredentialsGrant } from './token/grant/client-credentials.grant.js';
import { DeviceCodeGrant } from './token/grant/device-code.grant.js';
import { ExtGrantAnswers } from './token/grant/ext-grant-answers.js';
import { GRANTS, type Grant } from './token/grant/grant.js';
import { GrantAttempts } from './token/grant/grant-attempts.js';
import { JwtBearerGrant } from './token/grant/jwt-bearer.grant.js';
import { RefreshTokenGrant } from './token/grant/refresh-token.grant.js';
import { TokenExchangeGrant } from './token/grant/token-exchange.grant.js';
import { ServiceEntitlements } from './token/service-entitlement.js';
import { TokenController } from './token/token.controller.js';
import { TokenEndpoint } from './token/token.endpoint.js';
import { UserinfoController } from './userinfo/userinfo.controller.js';
import { UserinfoEndpoint } from './userinfo/userinfo.endpoint.js';

/** A grant is a class and a word in this list. */
const grants = [
  AuthorizationCodeGrant,
  RefreshTokenGrant,
  ClientCredentialsGrant,
  JwtBearerGrant,
  DeviceCodeGrant,
  TokenExchangeGrant,
];

/** EDGE: OAuth 2.0 and OpenID Connect. */
@Module({
  imports: [
    AuthRequestModule,
    ClientModule,
    DayCountModule,
    DeviceModule,
    InstanceModule,
    KeyModule,
    OrgModule,
    ProjectModule,
    RegistrationModule,
    SessionModule,
    TokenModule,
    UserGrantModule,
    UserModule,
  ],
  controllers: [
    // Routes are tried in this order: the busiest come first.
    TokenController,
    IntrospectController,
    UserinfoController,
    AuthorizeController,
    KeysController,
    DiscoveryController,
    OAuthMetadataController,
    RevokeController,
    ParController,
    DeviceController,
    EndSessionController,
    RegisterController,
  ],
  providers: [
    ...grants,
    Metadata,
    GrantAttempts,
    ExtGrantAnswers,
    {
      provide: GRANTS,
      inject: [ExtGrantAnswers, ...grants],
      useFactory: (own: ExtGrantAnswers, ...all: Grant[]) => [...all, ...own.grants],
    },
    AskedRequests,
    AuthorizeEndpoint,
    AuthorizeResponse,
    ClientAuthenticator,
    DeviceEndpoint,
    DroppedScopes,
    EndSessionEndpoint,
    GuessLimit,
    ImplicitAnswerer,
    IntrospectEndpoint,
    ParEndpoint,
    PushedRequests,
    RegisterEndpoint,
    RequestedResources,
    RequestObjects,
    RequestReader,
    RequiredOrgs,
    RevokeEndpoint,
    ServiceEntitlements,
    TokenEndpoint,
    UserinfoEndpoint,
  ],
})
export class OidcModule {}
