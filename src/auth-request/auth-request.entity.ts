import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ClaimsRequest } from './claims-request.js';

/** A pending authorization and, after the sign-in, the code that was issued for it. */
@Entity('auth_request')
@Index(['createdAt'])
@Index('auth_request_unanswered_idx', ['expiresAt'], { where: 'answered_at IS NULL' })
export class AuthRequestRow {
  /** Also the id of the token family that the code starts. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The browser that started it; no other may finish it. */
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

  /** Only this user may answer (`id_token_hint`, or `claims` with a `sub`; OIDC Core §3.1.2.1, §5.5.1). */
  @Column({ type: 'text', nullable: true })
  requiredUserId!: string | null;

  /** Requires two factors (`claims` with an essential `acr` of 2; OIDC Core §5.5.1.1). */
  @Column({ type: 'boolean', default: false })
  secondFactorRequired!: boolean;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  // Filled in by the login pages.

  /** As typed or hinted; whether it exists is not decided before the password. */
  @Column({ type: 'text', nullable: true })
  loginName!: string | null;

  /** The account that was chosen or signed in. */
  @Column({ type: 'text', nullable: true })
  userId!: string | null;

  @Column({ type: 'text', nullable: true })
  sessionId!: string | null;

  /** The user has chosen the account for this very request (`select_account`, several sessions). */
  @Column({ type: 'boolean', default: false })
  accountChosen!: boolean;

  @Column({ type: 'boolean', default: false })
  consentGiven!: boolean;

  /** A user returned from a provider and is not linked yet: the id of the `idp_login`. */
  @Column({ type: 'text', nullable: true })
  externalLoginId!: string | null;

  /** When the user returned. */
  @Column({ type: 'timestamptz', nullable: true })
  externalProvedAt!: Date | null;

  /** The organization whose policies applied when the user left. */
  @Column({ type: 'text', nullable: true })
  externalOrgId!: string | null;

  /** The user has registered and must type the mailed code: the id of the `registration`. */
  @Column({ type: 'text', nullable: true })
  registrationId!: string | null;

  /** When the password that was just used expires; cleared once the user was warned. */
  @Column({ type: 'timestamptz', nullable: true })
  passwordExpiresAt!: Date | null;

  /** The user wants to change the password before continuing. */
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

  /** When the request was answered, which is possible once. */
  @Column({ type: 'timestamptz', nullable: true })
  answeredAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  codeExpiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  redeemedAt!: Date | null;
}
