import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientModule } from '../client/client.module.js';
import { InstanceModule } from '../instance/instance.module.js';
import { TokenModule } from '../token/token.module.js';
import { UserGrantModule } from '../user-grant/user-grant.module.js';
import { DeviceAuthorization } from './device-authorization.entity.js';
import { DeviceAuthorizationRepository } from './device-authorization.repository.js';
import { DeviceAuthorizations } from './device-authorizations.js';
import { DeviceCodes } from './device-code.js';
import { DeviceRedemption } from './device-redemption.js';
import { UserCodeHashes } from './user-code.js';

@Module({
  imports: [
    ClientModule,
    InstanceModule,
    TokenModule,
    UserGrantModule,
    TypeOrmModule.forFeature([DeviceAuthorization]),
  ],
  providers: [DeviceAuthorizationRepository, DeviceAuthorizations, DeviceCodes, DeviceRedemption, UserCodeHashes],
  exports: [DeviceAuthorizations, DeviceRedemption],
})
export class DeviceModule {}
