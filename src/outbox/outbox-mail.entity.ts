import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What mails are about. All but the last are kinds of message whose texts can be changed. */
export type MailKind =
  | 'init'
  | 'verifyEmail'
  | 'passwordReset'
  | 'passwordChange'
  | 'domainClaimed'
  | 'inviteUser'
  | 'verifyEmailOtp'
  | 'registrationNotice';

/**
 * `waiting`: to be sent, or sent again after a failure; `sent`: the mail server has taken it; `dead`: given up, until somebody has
 * it tried again; `withdrawn`: overtaken by a newer one, or for an address that is not the person's any more.
 */
export type MailState = 'waiting' | 'sent' | 'dead' | 'withdrawn';

/** What else a mail says, or needs for its link. Nothing secret: that is the code. */
export interface MailDetails {
  /** The pending sign-in that goes on after the link was followed. */
  readonly authRequestId?: string;
  readonly applicationName?: string;
  readonly domain?: string;
  /** Where a name was taken away: the one before, and the one that holds for now. */
  readonly formerUserName?: string;
  readonly tempUserName?: string;
}

/** A mail that has left, or is to leave. Its text is made when it leaves, in the language that the person then has. */
@Entity('outbox')
@Index('outbox_due_idx', ['dueAt'], { where: "state = 'waiting'" })
@Index(['userId', 'createdAt', 'id'])
@Index(['recipientKey', 'createdAt'])
@Index(['createdAt', 'id'])
@Index(['state', 'createdAt', 'id'])
export class OutboxMail {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** By name, since people are far above: whoever is removed gets no mails any more. */
  @Column({ type: 'text' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  /** Whose texts and whose look it has. */
  @Column({ type: 'text' })
  orgId!: string;

  @Column({ type: 'text' })
  kind!: MailKind;

  /** The address that the person had when the mail was caused. */
  @Column({ type: 'text' })
  recipient!: string;

  /** The address as it is compared. */
  @Column({ type: 'text' })
  recipientKey!: string;

  /** What the person types, sealed; gone as soon as the mail has left. */
  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  details!: MailDetails;

  @Column({ type: 'text', default: 'waiting' })
  state!: MailState;

  /** How often it was begun to be sent. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  /** Why it has not left, in words for administrators. */
  @Column({ type: 'text', default: '' })
  reason!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  /** When it is next tried; while it is being sent, when whoever sends it counts as lost. */
  @Column({ type: 'timestamptz' })
  dueAt!: Date;

  /** When the code is worth nothing any more. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  sentAt!: Date | null;
}
