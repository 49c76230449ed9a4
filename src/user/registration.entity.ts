import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/**
 * Somebody has registered and is to type the code that was mailed to them. One without a user is a blind: the address or
 * the name was somebody's already, which nobody but the owner is told (LOG-027).
 */
@Entity('registration')
@Index(['userId'])
@Index(['createdAt'])
export class Registration {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The account, until its address is proven. */
  @Column({ type: 'text', nullable: true })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string | null;

  /** As it was typed. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;
}
