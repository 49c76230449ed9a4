import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** What a new password must contain. */
@Entity('password_complexity_policy')
export class PasswordComplexityPolicy extends Policy {
  /** In Unicode code points. */
  @Column({ type: 'integer', default: 8 })
  minLength!: number;

  @Column({ type: 'boolean', default: true })
  hasUppercase!: boolean;

  @Column({ type: 'boolean', default: true })
  hasLowercase!: boolean;

  @Column({ type: 'boolean', default: true })
  hasNumber!: boolean;

  @Column({ type: 'boolean', default: true })
  hasSymbol!: boolean;
}
