import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Idp } from './idp.entity.js';
import type { SaidAttributes } from './said-attributes.js';

/**
 * Links a user to an account at a provider. The account is identified by the provider's own id of it, byte for byte,
 * and nothing else.
 */
@Entity('idp_link')
@Index(['userId'])
export class IdpLink extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Idp, { onDelete: 'CASCADE' })
  idpId!: string;

  /** The `sub` of the provider's tokens. */
  @PrimaryColumn({ type: 'text' })
  externalUserId!: string;

  // References the table by name: users and their links do not import each other.
  @Column({ type: 'text' })
  @ForeignKey('user_account', { onDelete: 'CASCADE' })
  userId!: string;

  /** The name of the account at the provider. */
  @Column({ type: 'text', default: '' })
  displayName!: string;

  /** What the provider said of the account when the user last signed in. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  attributes!: SaidAttributes;
}
