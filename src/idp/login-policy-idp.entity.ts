import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Idp } from './idp.entity.js';

/** A provider that a login policy lists. A policy that lists none offers every active one. Deleted with the policy. */
@Entity('login_policy_idp')
@Index(['idpId'])
export class LoginPolicyIdp {
  /** Owner of the policy: an organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  @ForeignKey('login_policy', { onDelete: 'CASCADE' })
  ownerId!: string;

  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Idp, { onDelete: 'CASCADE' })
  idpId!: string;
}
