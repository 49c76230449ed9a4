import type { Loan } from '../foundation/extension/loan.js';
import type { OutboundSockets } from '../foundation/outbound/outbound-sockets.js';
import type { DirectoryNet } from './directory-kind.js';

/** On whose behalf connections are made, and for how long. */
export interface DirectoryNetLimits {
  readonly ownerId: string;
  readonly signal: AbortSignal;
  readonly loan: Loan;
}

/** Outbound connections in the hands of an extension, for one directory and one call. */
export function directoryNet(sockets: OutboundSockets, { ownerId, signal, loan }: DirectoryNetLimits): DirectoryNet {
  return Object.freeze({
    connect: async ({ host, port }: Parameters<DirectoryNet['connect']>[0]) => {
      loan.check();
      signal.throwIfAborted();
      return sockets.connect({ host, port, ownerId, signal });
    },
  });
}
