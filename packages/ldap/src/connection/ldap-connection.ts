import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { DirectoryNet } from 'gatehouse';
import { Client } from 'ldapts';
import { certificatesOf } from '../settings-forms.js';
import { isOnThisMachine, type Server, textOf } from './server.js';

/** RFC 4511 §4.14.1 */
const START_TLS = '1.3.6.1.4.1.1466.20037';
/** Of all that a server says on one connection: an entry with thousands of groups fits. */
const MAX_ANSWER_BYTES = 1_000_000;
/** RFC 4511 §4.1.1: each message is a SEQUENCE. */
const SEQUENCE = 0x30;
/** Of one answer; the call as a whole has 10 s as well. */
const ANSWER_MS = 10_000;

export interface Encryption {
  readonly startTls: boolean;
  readonly rootCa: string;
}

/** No server could be used. The message names it, and says what failed. */
export class DirectoryUnreachable extends Error {}

/**
 * A connection on which passwords may be sent. Whoever opens it closes it.
 * @throws DirectoryUnreachable; DomainError `outbound.…`
 */
export async function openConnection(net: DirectoryNet, server: Server, encryption: Encryption): Promise<Client> {
  if (!server.isLdaps && !encryption.startTls && !isOnThisMachine(server))
    throw new DirectoryUnreachable(`${textOf(server)} is not asked without encryption: use ldaps:// or startTls.`);
  const plain = await net.connect({ host: server.host, port: server.port });
  try {
    if (!server.isLdaps && !encryption.startTls) return clientOn(plain, server);
    if (!server.isLdaps) await startTls(plain, server);
    return clientOn(await encrypted(plain, server, encryption), server);
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

/**
 * Asks for StartTLS with a client that ends with the answer. The one that is used afterwards knows nothing of what came
 * in clear: somebody between us could have sent the beginning of an answer that the real one then completes.
 */
async function startTls(plain: Socket, server: Server): Promise<void> {
  const asking = clientOn(plain, server);
  try {
    await asking.exop(START_TLS);
  } catch (error) {
    throw new DirectoryUnreachable(`${textOf(server)} does not start TLS: ${reasonOf(error)}`);
  } finally {
    for (const event of ['data', 'end', 'timeout']) plain.removeAllListeners(event);
  }
}

async function encrypted(plain: Socket, server: Server, { rootCa }: Encryption): Promise<TLSSocket> {
  const name = server.host.replace(/^\[|\]$/g, '');
  const isAddress = /^[\d.]+$|:/.test(name);
  const ca = certificatesOf(rootCa);
  const socket = connect({
    socket: plain,
    host: name,
    // RFC 6066 §3: addresses are not sent as names.
    ...(isAddress ? {} : { servername: name }),
    ...(ca.length === 0 ? {} : { ca: [...ca] }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // Whatever the environment says.
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', (error: NodeJS.ErrnoException) =>
      reject(new DirectoryUnreachable(`${textOf(server)} has no TLS that is accepted: ${error.code ?? error.message}`)),
    );
    socket.once('close', () => reject(new DirectoryUnreachable(`${textOf(server)} has closed the connection.`)));
  });
  return socket;
}

/** A client on a connection that is open already, with limits for what it reads. */
function clientOn(socket: Socket, server: Server): Client {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    const isNoise = bytes === 0 && chunk[0] !== SEQUENCE;
    bytes += chunk.length;
    if (isNoise || bytes > MAX_ANSWER_BYTES) socket.destroy();
  });
  return new Client({
    // The address is not used: the socket is given. With `ldap:` the client does not encrypt once more.
    url: `ldap://${server.host}:${server.port}`,
    timeout: ANSWER_MS,
    createConnection: () => {
      // The client would wait for a connection that has ended to begin.
      if (socket.readyState !== 'open') throw new DirectoryUnreachable(`${textOf(server)} has closed the connection.`);
      return socket;
    },
  });
}

/** Words of ours where an error of the library might quote what a server says. */
export function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'number') return `result code ${code} (${String(name)})`;
  if (typeof code === 'string') return code;
  return error instanceof Error && /closed|timed out|Socket error/.test(error.message)
    ? 'the connection was lost, or nothing came'
    : 'its answer cannot be read';
}
