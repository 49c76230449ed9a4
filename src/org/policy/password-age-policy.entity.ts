import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** After how many days a password must be changed, and how many days before that its owner is warned; 0: never. */
@Entity('password_age_policy')
export class PasswordAgePolicy extends Policy {
  @Column({ type: 'integer', default: 0 })
  maxAgeDays!: number;

  @Column({ type: 'integer', default: 0 })
  expireWarnDays!: number;
}
