import { connect, isIP, type Socket } from 'node:net';
import type { SMTPPoolOptions } from 'nodemailer';
import type { Secret } from '../../foundation/config/secret.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { isLoopback, isLoopbackAddress, isPublicAddress } from '../../foundation/network/address.js';
import { nameUnknown, tooSlow, unreachable } from '../../foundation/outbound/outbound.errors.js';
import type { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import { TimeLimit } from '../../foundation/time/time-limit.js';
import { type MailServerAccess, mailHostOf } from '../server/mail-server-rules.js';

export const CONNECT_LIMIT_MS = 10_000;

/** The owner for limits that owners share: all mail servers have this one. */
const OWNER = 'instance';

/** How a mail server is reached. */
export interface SmtpServer {
  /** Its name or address. */
  readonly host: string;
  /** The options of the SMTP client: where the server is, and who we are there. */
  readonly options: () => SMTPPoolOptions;
  /** Texts that must not appear in what is said of its replies. */
  readonly secrets: readonly string[];
  readonly replyTo?: string;
}

/**
 * The server of SMTP_URL. The operator decides which addresses are called. Credentials are never sent in plain text
 * unless the URL says so: a man in the middle could otherwise strip STARTTLS from the server's
 * capabilities and read the password (RFC 3207 §6).
 */
export function serverOfOperator(smtpUrl: Secret): SmtpServer {
  const { hostname, password, username } = new URL(smtpUrl.reveal());
  return {
    host: hostname,
    secrets: writtenForms(decodeURIComponent(username), decodeURIComponent(password)),
    options: () => {
      const url = smtpUrl.reveal();
      return { url, ...(needsTls(new URL(url)) ? { requireTLS: true } : {}) };
    },
  };
}

/**
 * A server that an owner of the instance has set up, who is not the operator: addresses are those that may be called on
 * behalf of others (ADM-045). The connection is encrypted, with a certificate that is checked. Without `tls` it may be
 * plain within networks of our own, and then carries no password, except on this machine.
 */
export function serverOfOwner(
  access: MailServerAccess,
  password: Secret,
  replyTo: string,
  addresses: OutboundAddresses,
): SmtpServer {
  const { hostname, port, isImplicitTls } = mailHostOf(access.host);
  const { userName } = access;
  const name = hostname.replace(/^\[|\]$/g, '');
  return {
    host: name,
    secrets: writtenForms(userName, password.reveal()),
    ...(replyTo === '' ? {} : { replyTo }),
    options: () => ({
      host: name,
      port,
      secure: isImplicitTls,
      tls: { rejectUnauthorized: true }, // Whatever the environment says.
      ...(userName === '' ? {} : { auth: { user: userName, pass: password.reveal() } }),
      getSocket: (_options, done) => {
        void dial(new URL(`smtp://${access.host}`), name, port, addresses).then(
          (connection) => {
            done(null, { connection, requireTLS: mustEncrypt(access, connection.remoteAddress ?? '') });
          },
          (error: unknown) => done(error as Error),
        );
      },
    }),
  };
}

/** Whether nothing may be sent to this address before the connection is encrypted (ADM-048). */
export function mustEncrypt({ tls, userName }: Omit<MailServerAccess, 'host'>, address: string): boolean {
  const isPlainAllowed =
    userName === '' ? isIP(address) !== 0 && !isPublicAddress(address) : isLoopbackAddress(address);
  return tls || !isPlainAllowed;
}

/** @throws DomainError `outbound.…` */
async function dial(url: URL, host: string, port: number, addresses: OutboundAddresses): Promise<Socket> {
  addresses.checkLiteral(url);
  using limit = new TimeLimit(CONNECT_LIMIT_MS);
  const lookup = addresses.lookup(url, () => ({ ownerId: OWNER, signal: limit.signal }));
  const socket = connect({ host, port, lookup, autoSelectFamily: true });
  try {
    await Promise.race([connected(socket), passed(limit, url.host)]);
    return socket;
  } catch (error) {
    socket.destroy();
    throw toRefusal(error, url.host);
  }
}

async function connected(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.on('error', reject); // It stays: what comes later is for the client of SMTP.
  });
}

async function passed(limit: TimeLimit, host: string): Promise<never> {
  await limit.passed;
  throw tooSlow(host, CONNECT_LIMIT_MS / 1_000);
}

/** Names of an internal network must not be resolved by asking us: nothing that Node says of addresses. */
function toRefusal(error: unknown, host: string): Error {
  if (error instanceof DomainError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? nameUnknown(host, code) : unreachable(host, code);
}

function needsTls({ username, hostname, searchParams }: URL): boolean {
  const isDecided = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => searchParams.has(name));
  return username !== '' && !isDecided && !isLoopback(hostname);
}

/** A password as it is sent: RFC 4954 §4 and RFC 4616 §2, which a server may repeat. */
function writtenForms(user: string, password: string): string[] {
  if (password === '') return [];
  return [password, ...[password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'))];
}
