import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ExternalIdentity } from './external-identity.js';
import { Idp } from './idp.entity.js';

/** Somebody on the way to a provider, or who has come back from it: one turn of one browser at one pending authorization. */
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

  /** The one that began it, and the only one that may end it. */
  @Column({ type: 'text' })
  browserId!: string;

  /** SHA-256 of the value with which the browser comes back. */
  @Column({ type: 'bytea' })
  stateHash!: Buffer;

  /** OIDC Core §3.1.2.1; empty for a provider that sends a JWT. */
  @Column({ type: 'text', default: '' })
  nonce!: string;

  /** RFC 7636, sealed; empty for a provider that sends a JWT. */
  @Column({ type: 'text', default: '' })
  codeVerifier!: string;

  /** The person must have proved themselves to the provider since then (`prompt=login`, `max_age`). */
  @Column({ type: 'timestamptz', nullable: true })
  provedAfter!: Date | null;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When the browser came back; it does so once. */
  @Column({ type: 'timestamptz', nullable: true })
  takenAt!: Date | null;

  /** Who it is there, as far as the provider told; kept while nobody here is linked with them. */
  @Column({ type: 'jsonb', nullable: true })
  identity!: ExternalIdentity | null;
}
