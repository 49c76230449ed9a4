import type { FieldViolation } from '../../foundation/error/domain-error.js';
import type { NewEvent } from '../../foundation/event/journal.js';
import type { MailServer } from './mail-server.entity.js';

export const MAX_MAIL_SERVERS = 20;

/** RFC 6409 §3.1. */
const SUBMISSION_PORT = 587;
/** RFC 8314 §7.3: TLS from the first byte. On any other port the connection begins plainly. */
const SUBMISSIONS_PORT = 465;

/** A name or an address as in a URL, with an optional port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/i;

/** Where a mail server is, and who we are there. */
export type MailServerAccess = Pick<MailServer, 'host' | 'tls' | 'userName'>;

export type MailServerSettings = MailServerAccess &
  Pick<MailServer, 'senderAddress' | 'senderName' | 'replyToAddress' | 'description'>;

export interface MailHost {
  /** The name as it is dialled: an IPv6 address stands in brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Whether the connection is encrypted from its beginning; otherwise by STARTTLS. */
  readonly isImplicitTls: boolean;
}

export function isMailHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`smtp://${text}`);
}

/** @param host that `isMailHost` accepts */
export function mailHostOf(host: string): MailHost {
  const { hostname, port: given } = new URL(`smtp://${host}`);
  const port = given === '' ? SUBMISSION_PORT : Number(given);
  return { hostname: hostname.toLowerCase(), port, isImplicitTls: port === SUBMISSIONS_PORT };
}

/**
 * Everything that is wrong with settings except lengths and forms.
 * @param instanceHost the host that senders must be of; undefined if they may be of any
 */
export function mailServerViolations(
  { senderAddress, userName }: Pick<MailServerSettings, 'senderAddress' | 'userName'>,
  password: string,
  instanceHost: string | undefined,
): FieldViolation[] {
  const isElsewhere = instanceHost !== undefined && !senderAddress.endsWith(`@${instanceHost}`);
  return [
    ...(isElsewhere
      ? [{ field: 'senderAddress', description: `must be of ${instanceHost}: the domain policy demands it` }]
      : []),
    ...(password !== '' && userName === ''
      ? [{ field: 'user', description: 'is missing: a password belongs to a user name' }]
      : []),
  ];
}

/**
 * Whether a stored password may be sent to a server with these settings: only to the one that it was given for, as the
 * same user. Otherwise whoever may change the settings, but not read the password, has it sent to a server of theirs
 * (ADM-046).
 */
export function isSameAccess(stored: MailServerAccess, asked: MailServerAccess): boolean {
  const [one, other] = [mailHostOf(stored.host), mailHostOf(asked.host)];
  return one.hostname === other.hostname && one.port === other.port && stored.userName === asked.userName;
}

/** The violation of settings that name another server or user, and no password. */
export const PASSWORD_NEEDED: FieldViolation = {
  field: 'password',
  description: 'is missing: the stored one is only for the host and the user that it was given for',
};

/** A change of a mail server as the journal records it. */
export function mailServerEvent(
  id: string,
  instanceId: string,
  type: string,
  editorId: string,
  payload: Record<string, unknown> = {},
): NewEvent {
  return {
    aggregateType: 'mail_server',
    aggregateId: id,
    type,
    orgId: instanceId,
    editorId,
    payload,
  };
}
