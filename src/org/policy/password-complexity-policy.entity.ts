import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** What a new password must contain. */
@Entity('password_complexity_policy')
export class PasswordComplexityPolicy extends Policy {
  /** The length in Unicode code points. */
  @Column({ type: 'integer', default: 8 })
  minLength!: number;

  /** The length of a password that people choose where it is all that a sign-in needs; 0: as `minLength`. */
  @Column({ type: 'integer', default: 0 })
  minLengthWithoutSecondFactor!: number;

  @Column({ type: 'boolean', default: true })
  hasUppercase!: boolean;

  @Column({ type: 'boolean', default: true })
  hasLowercase!: boolean;

  @Column({ type: 'boolean', default: true })
  hasNumber!: boolean;

  @Column({ type: 'boolean', default: true })
  hasSymbol!: boolean;
}
