import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/** An account that its user has deleted: closed at once, removed when it is due, and taken back until then. */
@Entity('account_removal')
@Index(['dueAt'])
export class AccountRemoval {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** SHA-256 of the code in the link that takes the account back; it cannot be guessed. */
  @Column({ type: 'text' })
  codeHash!: string;

  @Column({ type: 'timestamptz' })
  dueAt!: Date;
}
