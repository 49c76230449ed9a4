import { Module } from '@nestjs/common';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { ClientModule } from '../client/client.module.js';
import { ClientRegistration } from './client-registration.js';

/** USE CASE: applications that register, read, change and remove themselves. */
@Module({
  imports: [ClientModule, InstanceModule],
  providers: [ClientRegistration],
  exports: [ClientRegistration],
})
export class RegistrationModule {}
