import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { User } from './user.entity.js';

@Entity('user_metadata')
// An index with an expression, which decorators cannot declare: see schema/tables.
@Index('user_metadata_list_key_idx', { synchronize: false })
export class UserMetadata extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'bytea' })
  value!: Buffer;
}
