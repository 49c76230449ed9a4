import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/**
 * A registration that waits for its mailed code. One without a user leads nowhere: the address or the name exists
 * already, which only its owner may learn (LOG-027).
 */
@Entity('registration')
@Index(['userId'])
@Index(['createdAt'])
export class Registration {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The account, until its address is verified. */
  @Column({ type: 'text', nullable: true })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string | null;

  /** The address as it was typed. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;
}
