import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';

/** A mail server that owners of the instance have set up. At most one is active, and sends all mails. */
@Entity('mail_server')
@Index('mail_server_one_active_idx', ['state'], { unique: true, where: `state = 'active'` })
export class MailServer extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', default: 'inactive' })
  state!: 'active' | 'inactive';

  /** A description for administrators. */
  @Column({ type: 'text', default: '' })
  description!: string;

  /** A name or an address, with or without a port: `smtp.example.com:587`. */
  @Column({ type: 'text' })
  host!: string;

  /** Whether mails may leave over encrypted connections alone, also within our own network. */
  @Column({ type: 'boolean' })
  tls!: boolean;

  /** Empty for a server that asks for none. */
  @Column({ type: 'text', default: '' })
  userName!: string;

  /** The password, sealed; empty for none. */
  @Column({ type: 'text', default: '' })
  password!: string;

  @Column({ type: 'text' })
  senderAddress!: string;

  @Column({ type: 'text', default: '' })
  senderName!: string;

  /** Where responses go, if not to the sender. */
  @Column({ type: 'text', default: '' })
  replyToAddress!: string;
}
