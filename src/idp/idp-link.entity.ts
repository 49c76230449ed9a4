import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../database/recorded.js';
import { Idp } from './idp.entity.js';

/** That somebody at a provider is a user here. Who it is there, is the provider's own id of them, byte for byte, and nothing else. */
@Entity('idp_link')
@Index(['userId'])
export class IdpLink extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Idp, { onDelete: 'CASCADE' })
  idpId!: string;

  /** The `sub` of its tokens. */
  @PrimaryColumn({ type: 'text' })
  externalUserId!: string;

  // By the name of the table: people and what is linked with them do not import each other.
  @Column({ type: 'text' })
  @ForeignKey('user_account', { onDelete: 'CASCADE' })
  userId!: string;

  /** What they are called there. */
  @Column({ type: 'text', default: '' })
  displayName!: string;
}
