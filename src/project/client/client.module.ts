import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../../foundation/outbound/outbound.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { Project } from '../project.entity.js';
import { ProjectModule } from '../project.module.js';
import { ClientRow } from './client.entity.js';
import { ClientRepository } from './client.repository.js';
import { ClientService } from './client.service.js';
import { ClientDirectory } from './client-directory.js';
import { ClientKey } from './client-key.entity.js';
import { ClientKeys } from './client-keys.js';
import { ClientUse } from './client-use.entity.js';
import { ClientUses } from './client-uses.js';
import { Consent } from './consent.entity.js';
import { Consents } from './consents.js';
import { ClientDocuments } from './document/client-documents.js';
import { DocumentClients } from './document/document-clients.js';
import { ExtGrants } from './ext-grants.js';
import { ReferencedRequests } from './referenced-requests.js';
import { RegisteredProject } from './registered-project.js';
import { RegistrationAccess } from './registration/registration-access.js';
import { RegistrationToken } from './registration/registration-token.entity.js';
import { RegistrationTokens } from './registration/registration-tokens.js';

@Module({
  imports: [
    OutboundModule,
    ProjectModule,
    InstanceModule,
    TypeOrmModule.forFeature([ClientRow, ClientKey, ClientUse, Consent, Project, RegistrationToken]),
  ],
  providers: [
    ClientDirectory,
    ClientDocuments,
    ClientKeys,
    ClientRepository,
    ClientService,
    ClientUses,
    Consents,
    DocumentClients,
    ExtGrants,
    ReferencedRequests,
    RegisteredProject,
    RegistrationAccess,
    RegistrationTokens,
  ],
  exports: [
    ClientDirectory,
    ClientKeys,
    ClientService,
    ClientUses,
    Consents,
    ExtGrants,
    ReferencedRequests,
    RegisteredProject,
    RegistrationAccess,
    RegistrationTokens,
  ],
})
export class ClientModule {}
