import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** The number of consecutive failures after which an account is locked until an administrator unlocks it; 0: never. */
@Entity('lockout_policy')
export class LockoutPolicy extends Policy {
  @Column({ type: 'integer', default: 0 })
  maxPasswordAttempts!: number;

  @Column({ type: 'integer', default: 0 })
  maxOtpAttempts!: number;
}
