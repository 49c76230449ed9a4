import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { UserGrantModule } from '../../project/user-grant/user-grant.module.js';
import { TokenModule } from '../token.module.js';
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
