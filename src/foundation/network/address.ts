import { BlockList, isIP } from 'node:net';

/**
 * Anything but an ordinary internet address: this machine, private networks, link-local addresses (where clouds serve
 * metadata), documentation, multicast, reserved (RFC 6890 and the registries that it founded).
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * RFC 4291 §2.4: nothing else is global unicast. IPv4-mapped, NAT64, unique local and link-local addresses are
 * therefore excluded.
 */
const GLOBAL_IPV6 = ['2000::/3'];
/**
 * Teredo and the other protocol assignments, documentation, 6to4: those that carry an IPv4 address would lead around
 * its check.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Whether the host name of a URL is this machine. IPv6 addresses stand in brackets (RFC 3986 §3.2.2). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsOf(family));
}

/** A set of addresses. An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) belongs to it if the address itself does. */
export class Networks {
  private readonly list = new BlockList();

  /** @throws Error for what is no network */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIP(address);
      this.list.addSubnet(address, bits === undefined ? bitsOf(family) : Number(bits), nameOf(family));
    }
  }

  has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.list.check(address, nameOf(family));
  }
}

const specialIpv4 = new Networks(SPECIAL_IPV4);
const specialIpv6 = new Networks(SPECIAL_IPV6);
const globalIpv6 = new Networks(GLOBAL_IPV6);
const loopback = new Networks(LOOPBACK);

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !specialIpv4.has(address);
  return globalIpv6.has(address) && !specialIpv6.has(address);
}

export function isLoopbackAddress(address: string): boolean {
  return loopback.has(address);
}

function bitsOf(family: number): number {
  return family === 4 ? 32 : 128;
}

function nameOf(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6';
}
