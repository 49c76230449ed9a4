import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

export type SecondFactor = 'otp' | 'u2f' | 'otp_email' | 'otp_sms' | 'recovery_codes';
export type MultiFactor = 'u2f_with_verification';

/** On which terms people of an organization sign in. */
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

  /** Demands a second factor only of those who signed in here, not of those whom a provider vouches for. */
  @Column({ type: 'boolean', default: false })
  forceMfaLocalOnly!: boolean;

  @Column({ type: 'text', default: 'allowed' })
  passwordlessType!: 'not_allowed' | 'allowed';

  @Column({ type: 'boolean', default: false })
  hidePasswordReset!: boolean;

  /** Off: the first page says when nobody has the name that was typed, and so who has an account. */
  @Column({ type: 'boolean', default: true })
  ignoreUnknownUsernames!: boolean;

  /** Whether the domain of a name that nobody has leads to the organization which owns that domain. */
  @Column({ type: 'boolean', default: true })
  allowDomainDiscovery!: boolean;

  @Column({ type: 'boolean', default: false })
  disableLoginWithEmail!: boolean;

  @Column({ type: 'boolean', default: false })
  disableLoginWithPhone!: boolean;

  /** Where someone goes who signs in without having come from an application; empty: a page of ours. */
  @Column({ type: 'text', default: '' })
  defaultRedirectUri!: string;

  /** How long a password check counts: 240 hours. */
  @Column({ type: 'integer', default: 864_000 })
  passwordCheckLifetimeSeconds!: number;

  /** 240 hours. */
  @Column({ type: 'integer', default: 864_000 })
  externalLoginCheckLifetimeSeconds!: number;

  /** For how long someone is not asked again to set up a second factor: 720 hours. 0: never asked. */
  @Column({ type: 'integer', default: 2_592_000 })
  mfaInitSkipLifetimeSeconds!: number;

  /** 18 hours. */
  @Column({ type: 'integer', default: 64_800 })
  secondFactorCheckLifetimeSeconds!: number;

  /** 12 hours. */
  @Column({ type: 'integer', default: 43_200 })
  multiFactorCheckLifetimeSeconds!: number;

  @Column({ type: 'text', array: true, default: () => "'{otp,u2f}'" })
  secondFactors!: SecondFactor[];

  @Column({ type: 'text', array: true, default: () => "'{u2f_with_verification}'" })
  multiFactors!: MultiFactor[];
}
