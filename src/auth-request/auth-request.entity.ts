import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ClaimsRequest } from './claims-request.js';

/** A pending authorization and, once somebody has signed in, the code that it ended in. */
@Entity('auth_request')
@Index(['createdAt'])
@Index('auth_request_unanswered_idx', ['expiresAt'], { where: 'answered_at IS NULL' })
export class AuthRequestRow {
  /** Also the id of the token family that the code starts. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The browser that started it, and the only one that may finish it. */
  @Column({ type: 'text' })
  browserId!: string;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'text' })
  redirectUri!: string;

  @Column({ type: 'text' })
  responseType!: string;

  @Column({ type: 'text' })
  responseMode!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ type: 'text', nullable: true })
  state!: string | null;

  @Column({ type: 'text', nullable: true })
  nonce!: string | null;

  @Column({ type: 'text', nullable: true })
  codeChallenge!: string | null;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  prompts!: string[];

  @Column({ type: 'integer', nullable: true })
  maxAgeSeconds!: number | null;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  uiLocales!: string[];

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  acrValues!: string[];

  @Column({ type: 'jsonb', nullable: true })
  claims!: ClaimsRequest | null;

  /** Only members of this organization may sign in (scopes `…:org:id:` and `…:org:domain:primary:`). */
  @Column({ type: 'text', nullable: true })
  requiredOrgId!: string | null;

  /** Only this user may be answered for (`id_token_hint`, or `claims` naming a `sub`; OIDC Core §3.1.2.1, §5.5.1). */
  @Column({ type: 'text', nullable: true })
  requiredUserId!: string | null;

  /** Only two factors will do (`claims` with an essential `acr` of 2; OIDC Core §5.5.1.1). */
  @Column({ type: 'boolean', default: false })
  secondFactorRequired!: boolean;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  // Filled in by the login pages.

  /** As typed or hinted; whether anybody has that name is not decided before the password. */
  @Column({ type: 'text', nullable: true })
  loginName!: string | null;

  /** The account that was chosen or has signed in. */
  @Column({ type: 'text', nullable: true })
  userId!: string | null;

  @Column({ type: 'text', nullable: true })
  sessionId!: string | null;

  /** The person has chosen the account for this very request (`select_account`, several sessions). */
  @Column({ type: 'boolean', default: false })
  accountChosen!: boolean;

  @Column({ type: 'boolean', default: false })
  consentGiven!: boolean;

  /** Somebody has come back from a provider whom no account here is linked with: the `idp_login` that says who. */
  @Column({ type: 'text', nullable: true })
  externalLoginId!: string | null;

  /** When they came back. */
  @Column({ type: 'timestamptz', nullable: true })
  externalProvedAt!: Date | null;

  /** On whose terms they left. */
  @Column({ type: 'text', nullable: true })
  externalOrgId!: string | null;

  /** Somebody has registered and is to type the code that was mailed to them: the `registration`. */
  @Column({ type: 'text', nullable: true })
  registrationId!: string | null;

  /** When the password that was just used expires; told once, and then empty. */
  @Column({ type: 'timestamptz', nullable: true })
  passwordExpiresAt!: Date | null;

  /** The person wants another password before going on. */
  @Column({ type: 'boolean', default: false })
  passwordChangeWanted!: boolean;

  // The code.

  @Column({ type: 'timestamptz', nullable: true })
  authTime!: Date | null;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  amr!: string[];

  /** The user's token epoch when the code was issued. */
  @Column({ type: 'integer', default: 0 })
  tokenEpoch!: number;

  /** When the request was answered; a request is answered once. */
  @Column({ type: 'timestamptz', nullable: true })
  answeredAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  codeExpiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  redeemedAt!: Date | null;
}
