import { Column, Entity } from 'typeorm';
import { Policy } from './policy.entity.js';

/** Which notifications users get by mail. */
@Entity('notification_policy')
export class NotificationPolicy extends Policy {
  @Column({ type: 'boolean', default: true })
  passwordChange!: boolean;
}
