import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { User } from '../user/user.entity.js';

@Entity('personal_access_token')
@Index('personal_access_token_hash_key', ['tokenHash'], { unique: true })
@Index(['expiresAt'])
@Index(['userId'])
export class PersonalAccessToken extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** SHA-256 of the token. */
  @Column({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
