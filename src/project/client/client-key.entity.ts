import type { JWK } from 'jose';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';
import { ClientRow } from './client.entity.js';

/** A public key with which a client signs its assertions (private_key_jwt). */
@Entity('client_key')
@Index(['clientRowId'])
@Index(['expiresAt'])
export class ClientKey extends Recorded {
  /** The `kid` of the assertion's header. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => ClientRow, { onDelete: 'CASCADE' })
  clientRowId!: string;

  @Column({ type: 'jsonb' })
  publicKey!: JWK;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
