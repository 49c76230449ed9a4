import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { IssuerConfig, OutboundConfig } from '../../src/foundation/config/config.js';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { OutboundAddresses } from '../../src/foundation/outbound/outbound-addresses.js';
import { OutboundClient } from '../../src/foundation/outbound/outbound-client.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';

export const MEGABYTE = 1_000_000;

/** Stands for DNS, which is not ours: names and what they resolve to, and how often they were asked for. */
export class Names extends NameResolver {
  readonly asked: string[] = [];

  constructor(private readonly known: Readonly<Record<string, readonly string[]>>) {
    super();
  }

  override async addressesOf(name: string): Promise<LookupAddress[]> {
    this.asked.push(name);
    const addresses = this.known[name];
    if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

export function client(
  options: { allow?: readonly string[]; production?: boolean; names?: NameResolver; outboundMs?: number } = {},
): OutboundClient {
  const { allow = ['127.0.0.0/8'], production = false, names = new NameResolver(), outboundMs } = options;
  return new OutboundClient(
    Object.assign(new IssuerConfig(), { production, publicUrl: 'https://id.test' }),
    new OutboundAddresses(Object.assign(new OutboundConfig(), { allow }), names),
    new Timeouts(outboundMs),
  );
}

/** The reason and the message of the refusal. */
export async function refusal(answer: Promise<unknown>): Promise<DomainError> {
  const error = await answer.then(
    () => new Error('answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DomainError)) throw error;
  return error;
}

const opened: Array<Server | TcpServer> = [];

export async function listen(server: Server | TcpServer): Promise<string> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));
export const serveJson = (body: string | Buffer, headers: Record<string, string> = {}): Promise<string> =>
  serve((_, response) => response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body));

/** Closes every server that a test has opened. */
export function closeServers(): void {
  for (const server of opened.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
}
