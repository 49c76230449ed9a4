import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The kinds of mails. All but the last two are kinds of message whose texts can be changed. */
export type MailKind =
  | 'init'
  | 'verifyEmail'
  | 'passwordReset'
  | 'passwordChange'
  | 'domainClaimed'
  | 'inviteUser'
  | 'passwordlessRegistration'
  | 'verifyEmailOtp'
  | 'registrationNotice'
  | 'webhookNotice'
  | 'securityNotice';

/** What an owner is told about an account; each is a sentence of `security-notice.json`. */
export type AccountChange =
  | 'otpAdded'
  | 'otpRemoved'
  | 'emailCodesAdded'
  | 'emailCodesRemoved'
  | 'recoveryCodesMade'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'securityKeyAdded'
  | 'securityKeyRemoved'
  | 'keyCopied'
  | 'emailAsked'
  | 'emailChanged'
  | 'phoneChanged'
  | 'providerLinked'
  | 'providerUnlinked'
  | 'passwordReset'
  | 'accountClosed';

/**
 * `waiting`: to be sent, or retried; `sent`: accepted by the mail server; `dead`: given up, until a manager requests a
 * retry; `withdrawn`: replaced by a newer one, or for an address that is no longer the user's.
 */
export type MailState = 'waiting' | 'sent' | 'dead' | 'withdrawn';

/** Further data for the mail or its link. Nothing secret except the code. */
export interface MailDetails {
  /** The pending sign-in that continues after the link was followed. */
  readonly authRequestId?: string;
  readonly applicationName?: string;
  readonly domain?: string;
  /** After a rename: the previous name, and the current one. */
  readonly formerUserName?: string;
  readonly tempUserName?: string;
  /** The change, and the name of its object: an address, a provider, a key. */
  readonly change?: AccountChange;
  readonly about?: string;
  /** The code confirms an address that takes the place of another one. */
  readonly isNewEmail?: boolean;
}

/** A mail that has been or will be sent. Its text is composed when it is sent, in the user's language at that time. */
@Entity('outbox')
@Index('outbox_due_idx', ['dueAt'], { where: "state = 'waiting'" })
@Index(['userId', 'createdAt', 'id'])
@Index(['recipientKey', 'createdAt'])
@Index(['createdAt', 'id'])
@Index(['state', 'createdAt', 'id'])
export class OutboxMail {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** References the table by name, since users are a higher layer: a removed user gets no more mails. */
  @Column({ type: 'text' })
  @ForeignKey('User', { onDelete: 'CASCADE' })
  userId!: string;

  /** The organization whose texts and look it has. */
  @Column({ type: 'text' })
  orgId!: string;

  @Column({ type: 'text' })
  kind!: MailKind;

  /** The user's address when the mail was caused. */
  @Column({ type: 'text' })
  recipient!: string;

  /** The normalized address. */
  @Column({ type: 'text' })
  recipientKey!: string;

  /** The code, sealed; deleted as soon as the mail has been sent. */
  @Column({ type: 'text', nullable: true })
  code!: string | null;

  @Column({ type: 'jsonb', default: () => "'{}'" })
  details!: MailDetails;

  @Column({ type: 'text', default: 'waiting' })
  state!: MailState;

  /** The number of attempts. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  /** Why the mail has not been sent, for administrators. */
  @Column({ type: 'text', default: '' })
  reason!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  /** The time of the next attempt; while it is being sent, the time when its worker counts as lost. */
  @Column({ type: 'timestamptz' })
  dueAt!: Date;

  /** When the code expires. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  sentAt!: Date | null;
}
