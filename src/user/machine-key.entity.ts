import type { JWK } from 'jose';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { User } from './user.entity.js';

/** A public key with which a service user signs its assertions (RFC 7523). */
@Entity('machine_key')
@Index(['expiresAt'])
@Index(['userId'])
export class MachineKey extends Recorded {
  /** The `kid` of the assertion's header. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'jsonb' })
  publicKey!: JWK;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
