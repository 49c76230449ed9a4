import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Recorded } from '../database/recorded.js';

/** On which terms people of an organization sign in; the row of the instance holds for those without one. */
@Entity('login_policy')
export class LoginPolicy extends Recorded {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;

  @Column({ type: 'boolean', default: true })
  allowUsernamePassword!: boolean;

  @Column({ type: 'boolean', default: true })
  allowRegister!: boolean;

  /** How long a password check counts: 240 hours. */
  @Column({ type: 'integer', default: 864_000 })
  passwordCheckLifetimeSeconds!: number;

  /** Where someone goes who signs in without having come from an application; empty: a page of ours. */
  @Column({ type: 'text', default: '' })
  defaultRedirectUri!: string;
}
