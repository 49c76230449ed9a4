import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../user/user.module.js';
import { EmailCodes } from './email-codes.js';
import { AuthFactor } from './factor.entity.js';
import { FactorRepository } from './factor.repository.js';
import { FactorService } from './factor.service.js';
import { RecoveryCodes } from './recovery-codes.js';
import { TotpService } from './totp.service.js';

const services = [EmailCodes, FactorService, RecoveryCodes, TotpService];

/** DOMAIN: what users prove besides a password. */
@Module({
  imports: [UserModule, TypeOrmModule.forFeature([AuthFactor])],
  providers: [...services, FactorRepository],
  exports: services,
})
export class FactorModule {}
