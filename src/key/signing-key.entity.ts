import type { JWK } from 'jose';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import type { SigningAlgorithm } from '../instance/instance.entity.js';

/** `next` is published but not used, `active` signs, `retired` is published until what it signed has expired. */
export type SigningKeyState = 'next' | 'active' | 'retired';

@Entity('signing_key')
@Index('signing_key_active_key', ['state'], { unique: true, where: "state = 'active'" })
export class SigningKey extends Recorded {
  /** The `kid`. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  state!: SigningKeyState;

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
