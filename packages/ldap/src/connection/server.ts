/** A server of a directory. */
export interface Server {
  readonly isLdaps: boolean;
  /** An IPv6 address stands in brackets. */
  readonly host: string;
  readonly port: number;
}

const SERVER = /^(ldaps?):\/\/([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::([1-9]\d{0,4}))?\/?$/i;
/** Addresses of this machine: a name could lead elsewhere. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\])$/;
const LDAP_PORT = 389;
const LDAPS_PORT = 636;

/** The server of an address (RFC 4516 §2, without anything behind the port); undefined if it is none. */
export function readServer(text: string): Server | undefined {
  const [, scheme, host, port] = SERVER.exec(text) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  const isLdaps = scheme.toLowerCase() === 'ldaps';
  const number = port === undefined ? (isLdaps ? LDAPS_PORT : LDAP_PORT) : Number(port);
  return number > 65_535 ? undefined : { isLdaps, host: host.toLowerCase(), port: number };
}

/** Whether passwords may go there unencrypted: only where they do not leave this machine. */
export function isOnThisMachine({ host }: Server): boolean {
  return LOOPBACK.test(host);
}

export function textOf({ isLdaps, host, port }: Server): string {
  return `${isLdaps ? 'ldaps' : 'ldap'}://${host}:${port}`;
}
