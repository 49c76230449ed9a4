import { connect, type Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../error/domain-error.js';
import { nameUnknown, tooSlow, unreachable, urlRefused } from './outbound.errors.js';
import { OutboundAddresses } from './outbound-addresses.js';
import { Shares } from './shares.js';

/** Time for the look-up and the dial together: another server may still answer. */
const CONNECT_SECONDS = 5;
/** Of one organization, however many servers it names. */
const MAX_SOCKETS_PER_OWNER = 16;
const MAX_SOCKETS = 128;
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

export interface OutboundTarget {
  /** A name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  /** The owner of the configuration: an organization, or the instance. */
  readonly ownerId: string;
  /** Cuts the connection. */
  readonly signal: AbortSignal;
}

/**
 * Connections that do not speak HTTP to what an administrator configured, by the rules of `OutboundClient`. Their
 * places are counted apart from its own, so that a silent server holds up no call of another kind.
 */
@Injectable()
export class OutboundSockets {
  private readonly perOwner = new Shares(MAX_SOCKETS_PER_OWNER, MAX_SOCKETS);

  constructor(private readonly addresses: OutboundAddresses) {}

  /**
   * A connection, which keeps its place until it is closed.
   * @throws DomainError `outbound.…`; the reason of the signal
   */
  async connect(target: OutboundTarget): Promise<Socket> {
    const { host, port, ownerId, signal } = target;
    if (!HOST.test(host)) throw urlRefused('must name a host');
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw urlRefused('must have a port from 1 to 65535');
    const url = new URL(`https://${host}:${port}`);
    this.addresses.checkLiteral(url);
    return new Promise((resolve, reject) => {
      const place = this.perOwner.run(ownerId, signal, async () => {
        const socket = await this.dial(url, target);
        const closed = new Promise<void>((done) => socket.once('close', () => done()));
        resolve(socket);
        await closed;
      });
      place.catch(reject);
    });
  }

  private async dial(url: URL, { host, port, ownerId, signal }: OutboundTarget): Promise<Socket> {
    signal.throwIfAborted();
    const socket = connect({
      host: host.replace(/^\[|\]$/g, ''),
      port,
      lookup: this.addresses.lookup(url, () => ({ ownerId, signal })),
    });
    const cut = (): void => {
      socket.destroy();
    };
    signal.addEventListener('abort', cut, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', cut));
    // Whoever uses it learns of a failure by its end; without a listener the process would end as well.
    socket.on('error', () => undefined);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(tooSlow(url.host, CONNECT_SECONDS));
        socket.destroy();
      }, CONNECT_SECONDS * 1000);
      socket.once('connect', () => {
        clearTimeout(timer);
        resolve(socket);
      });
      socket.once('error', (error) => reject(toDomainError(error, url.host)));
      socket.once('close', () => {
        clearTimeout(timer);
        reject(signal.aborted ? (signal.reason as Error) : unreachable(url.host, 'closed'));
      });
    });
  }
}

function toDomainError(error: NodeJS.ErrnoException, host: string): DomainError {
  if (error instanceof DomainError) return error;
  const code = error.code ?? 'unknown';
  return code === 'ENOTFOUND' || code === 'ENODATA' || code.startsWith('EAI_')
    ? nameUnknown(host, code)
    : unreachable(host, code);
}
