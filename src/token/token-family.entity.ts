import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Client } from '../project/client/client.js';
import type { ClaimsRequest } from '../session/auth-request/claims-request.js';

/** All refresh tokens that descend from one authorization. Rotation raises the generation and adds no rows. */
@Entity('token_family')
@Index(['userId', 'createdAt', 'id'])
@Index(['expiresAt'])
export class TokenFamily {
  /** The id of the authorization request with which it began. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  sessionId!: string;

  /** The scope first granted; a refresh may request less, the next one all of it again. */
  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** The protected resources that were granted (RFC 8707); none if none was named. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  resources!: string[];

  @Column({ type: 'jsonb', nullable: true })
  claims!: ClaimsRequest | null;

  @Column({ type: 'timestamptz' })
  authTime!: Date;

  @Column({ type: 'text', array: true })
  amr!: string[];

  @Column({ type: 'boolean' })
  acrRequested!: boolean;

  /** The user's token epoch when it began. */
  @Column({ type: 'integer' })
  tokenEpoch!: number;

  /** The thumbprint of the key without which its tokens cannot be used (RFC 9449 §5). */
  @Column({ type: 'text', nullable: true })
  dpopJkt!: string | null;

  /** The only generation that can be used. */
  @Column({ type: 'integer', default: 1 })
  generation!: number;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  spentAt!: Date;

  @Column({ type: 'timestamptz' })
  idleExpiresAt!: Date;

  /** Absolute; never extended. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}

/**
 * The key of a new family: that of a public client, which has nothing else to prove that it is the one that got the
 * tokens. Others authenticate, and may change their key (RFC 9449 §5).
 */
export function familyKeyOf(client: Client, thumbprint: string | undefined): string | null {
  return client.isConfidential ? null : (thumbprint ?? null);
}
