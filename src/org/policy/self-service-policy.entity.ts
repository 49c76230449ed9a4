import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** What users may change about their own account, on its pages and in the administrative API. */
@Entity('self_service_policy')
export class SelfServicePolicy extends Policy {
  @Column({ type: 'boolean', default: true })
  editProfile!: boolean;

  @Column({ type: 'boolean', default: true })
  changeEmail!: boolean;

  @Column({ type: 'boolean', default: true })
  changePhone!: boolean;

  @Column({ type: 'boolean', default: true })
  changePassword!: boolean;

  /** Second steps, passkeys and security keys. */
  @Column({ type: 'boolean', default: true })
  manageFactors!: boolean;

  @Column({ type: 'boolean', default: true })
  linkProviders!: boolean;

  @Column({ type: 'boolean', default: true })
  downloadData!: boolean;

  /** Off unless an administrator allows it: an account may belong to an employer. */
  @Column({ type: 'boolean', default: false })
  deleteAccount!: boolean;

  /** For how long a deleted account can be taken back; 0: not at all. */
  @Column({ type: 'integer', default: 14 })
  accountDeletionGraceDays!: number;
}
