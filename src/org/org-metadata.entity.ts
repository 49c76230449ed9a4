import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from './org.entity.js';

@Entity('org_metadata')
// An index with an expression, which decorators cannot declare: see schema.
@Index('org_metadata_list_key_idx', { synchronize: false })
export class OrgMetadata extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'bytea' })
  value!: Buffer;
}
