import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ExternalIdentity } from './external-identity.js';
import { Idp } from './idp.entity.js';

/**
 * A login at a provider that is pending or has returned: one round trip of one browser for one pending authorization.
 */
@Entity('idp_login')
@Index('idp_login_state_hash_key', ['stateHash'], { unique: true })
@Index(['idpId'])
@Index(['expiresAt'])
export class IdpLogin {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Idp, { onDelete: 'CASCADE' })
  idpId!: string;

  @Column({ type: 'text' })
  authRequestId!: string;

  /** The browser that began it; no other may finish it. */
  @Column({ type: 'text' })
  browserId!: string;

  /** SHA-256 of the state with which the browser returns. */
  @Column({ type: 'bytea' })
  stateHash!: Buffer;

  /** OIDC Core §3.1.2.1; empty for a provider that sends a JWT. */
  @Column({ type: 'text', default: '' })
  nonce!: string;

  /** RFC 7636, sealed; empty for a provider that sends a JWT. */
  @Column({ type: 'text', default: '' })
  codeVerifier!: string;

  /** The earliest acceptable time of authentication at the provider (`prompt=login`, `max_age`). */
  @Column({ type: 'timestamptz', nullable: true })
  provedAfter!: Date | null;

  /**
   * When the user proved there who they are, if the sign-in comes later: through a proxy, or once the user is known
   * here.
   */
  @Column({ type: 'timestamptz', nullable: true })
  provedAt!: Date | null;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When the browser returned, which is possible once. */
  @Column({ type: 'timestamptz', nullable: true })
  takenAt!: Date | null;

  /** The identity as the provider described it; kept until a user is linked with it. */
  @Column({ type: 'jsonb', nullable: true })
  identity!: ExternalIdentity | null;
}
