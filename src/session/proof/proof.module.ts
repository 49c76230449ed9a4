import { Module } from '@nestjs/common';
import { AttemptModule } from '../../foundation/attempt/attempt.module.js';
import { DayCountModule } from '../../foundation/day-count/day-count.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { FactorModule } from '../../user/factor/factor.module.js';
import { UserModule } from '../../user/user.module.js';
import { SessionModule } from '../session.module.js';
import { FactorCheck } from './factor-check.js';
import { LockoutService } from './lockout.service.js';
import { PasswordCheck } from './password-check.js';
import { RefusedSignIns } from './refused-sign-ins.js';

/** USE CASE: what people present is checked, within limits. */
@Module({
  imports: [AttemptModule, DayCountModule, FactorModule, InstanceModule, PolicyModule, SessionModule, UserModule],
  providers: [FactorCheck, LockoutService, PasswordCheck, RefusedSignIns],
  exports: [FactorCheck, PasswordCheck, RefusedSignIns],
})
export class ProofModule {}
