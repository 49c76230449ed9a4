import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AuthFactor } from './factor.entity.js';

/** How an authenticator can be reached (WebAuthn Level 3 §5.8.4); a hint for browsers only. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** How many keys of both kinds together a user may have. */
export const MOST_KEYS = 20;

/** The public key of a passkey or security key. Its row of `auth_factor` says whose it is, and of which kind. */
@Entity('auth_key')
@Index('auth_key_credential_id_key', ['credentialId'], { unique: true })
@Index('auth_key_rp_id_idx', ['rpId'])
export class AuthKey {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => AuthFactor, { onDelete: 'CASCADE' })
  factorId!: string;

  /** The id as the authenticator chose it, in base64url. */
  @Column({ type: 'text' })
  credentialId!: string;

  /** COSE_Key (RFC 9052 §7). */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /**
   * The user handle that it was made with, in base64url, where another service made it; null if that is the id of its
   * user, as for all keys that are made here. It only confirms the owner, and never finds one.
   */
  @Column({ type: 'text', nullable: true })
  userHandle!: string | null;

  /** The domain that it was made for; it works for no other one, whatever the service is configured for. */
  @Column({ type: 'text' })
  rpId!: string;

  /** The authenticator's counter at the last use. A decimal number of 32 bits; 0 if it does not count. */
  @Column({ type: 'bigint' })
  signCount!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  transports!: Transport[];

  /** The model of the authenticator, as it says itself. */
  @Column({ type: 'text', default: '' })
  aaguid!: string;

  /**
   * Whether it can be synchronized to other devices: stays as it is for good (WebAuthn Level 3 §6.1.3). Null for a key
   * that another service made without keeping that: its first use here says it.
   */
  @Column({ type: 'boolean', nullable: true })
  backupEligible!: boolean | null;

  /** Whether the key was backed up when it was last used. */
  @Column({ type: 'boolean' })
  backedUp!: boolean;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
