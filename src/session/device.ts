import { isIP } from 'node:net';

/** The device of a session as we keep it: words of our own, and a network instead of an address. */
export interface Device {
  readonly agent: string;
  readonly system: string;
  readonly network: string;
}

/** Browsers in the order in which they are looked for: most name others besides themselves. */
const AGENTS: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera|OPT|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
];

const SYSTEMS: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** Longer headers are cut: what we look for is at the beginning, and the patterns must stay cheap. */
const MAX_HEADER_CHARACTERS = 400;

/** Keeps nothing of the header itself, so that a forged one can show only another of these words. */
export function deviceOf(userAgent: string | undefined, address: string): Device {
  const header = (userAgent ?? '').slice(0, MAX_HEADER_CHARACTERS);
  return { agent: firstOf(AGENTS, header), system: firstOf(SYSTEMS, header), network: shortenedNetwork(address) };
}

function firstOf(words: typeof AGENTS, header: string): string {
  return words.find(([, pattern]) => pattern.test(header))?.[0] ?? '';
}

/**
 * An IPv4 network of 256 addresses, or an IPv6 site (RFC 6177 §2): enough to recognize a place, too little to find a
 * person.
 */
export function shortenedNetwork(address: string): string {
  const [plain = ''] = address.split('%');
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(plain)?.[1];
  if (ipv4 !== undefined) return `${ipv4}.0`;
  if (isIP(plain) !== 6) return '';
  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 3);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::`;
}
