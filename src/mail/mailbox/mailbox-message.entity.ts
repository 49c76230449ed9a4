import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A mail that was not sent: development has a page instead of a mail server. */
@Entity('mailbox_message')
@Index(['sentAt', 'id'])
export class MailboxMessage {
  /** The mail's id in the outbox. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'timestamptz' })
  sentAt!: Date;

  @Column({ type: 'text' })
  recipient!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text' })
  textBody!: string;

  /** The mail with its images as `data:` URLs. */
  @Column({ type: 'text' })
  htmlBody!: string;

  @Column({ type: 'jsonb' })
  headers!: Readonly<Record<string, string>>;
}
