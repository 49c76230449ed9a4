import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { User } from './user.entity.js';

@Entity('user_metadata')
export class UserMetadata extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'bytea' })
  value!: Buffer;
}
