import { Module } from '@nestjs/common';
import { ClientModule } from '../client/client.module.js';
import { InstanceModule } from '../instance/instance.module.js';
import { ClientRegistration } from './client-registration.js';

/** USE CASE: applications that register, read, change and remove themselves. */
@Module({
  imports: [ClientModule, InstanceModule],
  providers: [ClientRegistration],
  exports: [ClientRegistration],
})
export class RegistrationModule {}
