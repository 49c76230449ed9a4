import type { JWK } from 'jose';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';
import type { SigningAlgorithm } from '../../org/instance/instance.entity.js';

/** `next` is published but not used, `active` signs, `retired` is published until what it signed has expired. */
export type SigningKeyState = 'next' | 'active' | 'retired';

/**
 * What a key signs: `general` everything, in the algorithm of the instance; `strict` what is for applications that are
 * held to FAPI 2.0, while that algorithm is one that FAPI 2.0 excludes.
 */
export type SigningKeyPurpose = 'general' | 'strict';

@Entity('signing_key')
@Index('signing_key_active_key', ['purpose'], { unique: true, where: "state = 'active'" })
export class SigningKey extends Recorded {
  /** The `kid`. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  state!: SigningKeyState;

  @Column({ type: 'text', default: 'general' })
  purpose!: SigningKeyPurpose;

  @Column({ type: 'text' })
  algorithm!: SigningAlgorithm;

  @Column({ type: 'jsonb' })
  publicKey!: JWK;

  /** JWK, sealed in the vault. */
  @Column({ type: 'text' })
  privateKey!: string;

  /** When a `next` key shall become active. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** When it became active; null before. */
  @Column({ type: 'timestamptz', nullable: true })
  activatedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;
}

/** The place of a private key in the database, for the vault. */
export function vaultPlaceOf(keyId: string): { table: string; column: string; row: string; owner: string } {
  return { table: 'signing_key', column: 'private_key', row: keyId, owner: 'instance' };
}
