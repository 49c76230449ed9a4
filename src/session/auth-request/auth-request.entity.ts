import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ClaimsRequest } from './claims-request.js';

/** The answer to an authorization request, and its code. A request without an answer has no row. */
@Entity('auth_request')
@Index(['answeredAt'])
@Index('auth_request_pushed_id_key', ['pushedId'], { unique: true, where: 'pushed_id IS NOT NULL' })
export class AuthRequestRow {
  /** The id of the request, and of the code's token family. A request is answered once, since it is unique. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'text' })
  redirectUri!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** The protected resources that were granted (RFC 8707); none if none was named. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  resources!: string[];

  @Column({ type: 'text', nullable: true })
  nonce!: string | null;

  @Column({ type: 'text', nullable: true })
  codeChallenge!: string | null;

  /** The thumbprint of the key that must redeem the code (RFC 9449 §10). */
  @Column({ type: 'text', nullable: true })
  dpopJkt!: string | null;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  acrValues!: string[];

  @Column({ type: 'jsonb', nullable: true })
  claims!: ClaimsRequest | null;

  @Column({ type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  sessionId!: string;

  @Column({ type: 'timestamptz' })
  authTime!: Date;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  amr!: string[];

  /** See `isProvedFor`. */
  @Column({ type: 'boolean', default: true })
  isProved!: boolean;

  /** The user's token epoch when the code was issued. */
  @Column({ type: 'integer', default: 0 })
  tokenEpoch!: number;

  @Column({ type: 'timestamptz' })
  answeredAt!: Date;

  /** Null for the implicit flow, which has no code. */
  @Column({ type: 'timestamptz', nullable: true })
  codeExpiresAt!: Date | null;

  /** The pushed request that this answers (RFC 9126), which is answered once: two visits have two ids. */
  @Column({ type: 'text', nullable: true })
  pushedId!: string | null;

  /** Whether the request was a signed object (RFC 9101). */
  @Column({ type: 'boolean', default: true })
  isSigned!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  redeemedAt!: Date | null;
}
