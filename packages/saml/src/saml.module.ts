import { Module, type OnModuleInit } from '@nestjs/common';
import { GatehouseServices, SignIns } from 'gatehouse';
import { AdminRoutes } from 'gatehouse/admin';
import { ApplicationsController } from './application/applications.controller.js';
import { Applications } from './application/applications.js';
import { EntityIds } from './application/entity-ids.js';
import { KnownServiceProviders } from './application/known-service-providers.js';
import { RegisteredApplications } from './application/registered-applications.js';
import { ServiceProviderMetadata } from './application/service-provider-metadata.js';
import { CertificatesController } from './certificate/certificates.controller.js';
import { Certificates } from './certificate/certificates.js';
import { EntityController } from './entity/entity.controller.js';
import { OurEntity } from './entity/our-entity.js';
import { ProviderMetadata } from './provider/provider-metadata.js';
import { SamlKind } from './provider/saml.kind.js';
import { ServiceEntityController } from './provider/service-entity.controller.js';
import { Names } from './sign-in/names.js';
import { RefusalPages } from './sign-in/refusal-pages.js';
import { SamlProtocol } from './sign-in/saml.protocol.js';
import { SignOnController } from './sign-in/sign-on.controller.js';
import { SignOn } from './sign-in/sign-on.js';
import { FrontChannel } from './sign-out/front-channel.js';
import { LogoutOrders } from './sign-out/logout-order.js';
import { Logouts } from './sign-out/logouts.js';
import { Participants } from './sign-out/participants.js';
import { SignOutController } from './sign-out/sign-out.controller.js';
import { SignOut } from './sign-out/sign-out.js';

@Module({
  imports: [GatehouseServices, AdminRoutes],
  controllers: [
    EntityController,
    ServiceEntityController,
    SignOnController,
    SignOutController,
    ApplicationsController,
    CertificatesController,
  ],
  providers: [
    Applications,
    Certificates,
    EntityIds,
    FrontChannel,
    KnownServiceProviders,
    LogoutOrders,
    Logouts,
    Names,
    OurEntity,
    Participants,
    ProviderMetadata,
    RefusalPages,
    RegisteredApplications,
    SamlKind,
    SamlProtocol,
    ServiceProviderMetadata,
    SignOn,
    SignOut,
  ],
})
export class SamlModule implements OnModuleInit {
  constructor(
    private readonly entity: OurEntity,
    private readonly signIns: SignIns,
  ) {}

  onModuleInit(): void {
    this.entity.standAt(this.signIns.issuer);
  }
}
