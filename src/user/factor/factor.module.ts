import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../user.module.js';
import { AuthKey } from './auth-key.entity.js';
import { Challenges } from './challenge.js';
import { EmailCodes } from './email-codes.js';
import { AuthFactor } from './factor.entity.js';
import { FactorRepository } from './factor.repository.js';
import { FactorService } from './factor.service.js';
import { PasskeyRepository } from './passkey.repository.js';
import { PasskeyService } from './passkey.service.js';
import { PasskeyCeremony } from './passkey-ceremony.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SpentChallenge } from './spent-challenge.entity.js';
import { TotpService } from './totp.service.js';
import { WaysIn } from './ways-in.js';

const services = [EmailCodes, FactorService, PasskeyService, RecoveryCodes, TotpService, WaysIn];

/** DOMAIN: what users prove besides a password. */
@Module({
  imports: [UserModule, TypeOrmModule.forFeature([AuthFactor, AuthKey, SpentChallenge])],
  providers: [...services, Challenges, FactorRepository, PasskeyRepository, PasskeyCeremony],
  exports: services,
})
export class FactorModule {}
