import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

export type SecondFactor = 'otp' | 'u2f' | 'otp_email' | 'otp_sms' | 'recovery_codes';
export type MultiFactor = 'u2f_with_verification';

/** How users of an organization sign in. */
@Entity('login_policy')
export class LoginPolicy extends Policy {
  @Column({ type: 'boolean', default: true })
  allowUsernamePassword!: boolean;

  @Column({ type: 'boolean', default: true })
  allowRegister!: boolean;

  @Column({ type: 'boolean', default: true })
  allowExternalIdp!: boolean;

  @Column({ type: 'boolean', default: false })
  forceMfa!: boolean;

  /** Requires a second factor only of users who sign in here, not through a provider. */
  @Column({ type: 'boolean', default: false })
  forceMfaLocalOnly!: boolean;

  @Column({ type: 'text', default: 'allowed' })
  passwordlessType!: 'not_allowed' | 'allowed';

  @Column({ type: 'boolean', default: false })
  hidePasswordReset!: boolean;

  /** If false, the first page says that an unknown name does not exist, and so reveals which accounts do. */
  @Column({ type: 'boolean', default: true })
  ignoreUnknownUsernames!: boolean;

  /** Whether the domain of an unknown name leads to the organization that owns the domain. */
  @Column({ type: 'boolean', default: true })
  allowDomainDiscovery!: boolean;

  @Column({ type: 'boolean', default: false })
  disableLoginWithEmail!: boolean;

  @Column({ type: 'boolean', default: false })
  disableLoginWithPhone!: boolean;

  /** The destination of users who sign in without an application; empty for a page of ours. */
  @Column({ type: 'text', default: '' })
  defaultRedirectUri!: string;

  /** How long a password check is valid: 240 hours. */
  @Column({ type: 'integer', default: 864_000 })
  passwordCheckLifetimeSeconds!: number;

  /** How long a sign-in at a provider is valid: 240 hours. */
  @Column({ type: 'integer', default: 864_000 })
  externalLoginCheckLifetimeSeconds!: number;

  /** How long a user is not asked again to set up a second factor: 720 hours. 0: never asked. */
  @Column({ type: 'integer', default: 2_592_000 })
  mfaInitSkipLifetimeSeconds!: number;

  /** How long a check of a second factor is valid: 18 hours. */
  @Column({ type: 'integer', default: 64_800 })
  secondFactorCheckLifetimeSeconds!: number;

  /** How long a check of several factors is valid: 12 hours. */
  @Column({ type: 'integer', default: 43_200 })
  multiFactorCheckLifetimeSeconds!: number;

  @Column({ type: 'text', array: true, default: () => "'{otp,u2f}'" })
  secondFactors!: SecondFactor[];

  @Column({ type: 'text', array: true, default: () => "'{u2f_with_verification}'" })
  multiFactors!: MultiFactor[];
}
