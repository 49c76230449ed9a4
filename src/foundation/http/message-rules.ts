import { type IncomingMessage, METHODS } from 'node:http';
import { HEADERS_TOO_LARGE, MAX_HEADER_BYTES } from './header-size.js';
import { Http2Request } from './http2-messages.js';

/** A fault of a request, regardless of what it asks for. */
export interface MessageFault {
  readonly status: number;
  /** For the log. */
  readonly reason: string;
  readonly text: string;
}

const NO_VERSION: MessageFault = {
  status: 400,
  reason: 'message.no_version',
  text: 'The request line must name the version: HTTP/1.0 or HTTP/1.1.',
};
const OTHER_VERSION: MessageFault = {
  status: 505,
  reason: 'message.other_version',
  text: 'This connection supports HTTP/1.0 and HTTP/1.1.',
};
const TWO_HOSTS: MessageFault = {
  status: 400,
  reason: 'message.host_repeated',
  text: 'The request has more than one Host header.',
};
const BAD_HOST: MessageFault = {
  status: 400,
  reason: 'message.host_malformed',
  text: 'The host of the request is not a host name or address with an optional port.',
};
const TWO_AUTHORITIES: MessageFault = {
  status: 400,
  reason: 'message.authority_differs',
  text: 'The :authority and the host header of the request differ.',
};

const TOO_LARGE: MessageFault = {
  status: 431,
  reason: 'message.headers_too_large',
  text: HEADERS_TOO_LARGE,
};
const UNKNOWN_METHOD: MessageFault = {
  status: 501,
  reason: 'message.method_unknown',
  text: 'The method of the request is unknown. Methods are case-sensitive.',
};
/** The methods that the parser of HTTP/1.1 accepts. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/** `uri-host [":" port]`, RFC 9110 §7.2 and RFC 3986 §3.2.2. */
const HOST = /^(\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|([\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(:\d*)?$/i;

/**
 * Node leaves these checks to the application: versions that its parser accepts but does not support, methods of
 * HTTP/2, and the host. The first bytes of a connection determine its version; the request line says whatever its
 * sender wrote.
 */
export function faultOf(request: IncomingMessage | Http2Request): MessageFault | undefined {
  return request instanceof Http2Request ? faultOfStream(request) : faultOfMessage(request);
}

function faultOfMessage({ httpVersionMajor, rawHeaders }: IncomingMessage): MessageFault | undefined {
  if (httpVersionMajor !== 1) return httpVersionMajor === 0 ? NO_VERSION : OTHER_VERSION;
  const hosts = valuesOf(rawHeaders, 'host');
  // RFC 9112 §3.2. Only HTTP/1.0 may lack it; for HTTP/1.1, Node has refused that already.
  if (hosts.length > 1) return TWO_HOSTS;
  return hosts.every((host) => HOST.test(host)) ? undefined : BAD_HOST;
}

/** nghttp2 has checked that it exists and is a host. */
function faultOfStream({ headers, rawHeaders, method, scheme }: Http2Request): MessageFault | undefined {
  if (sizeOf(rawHeaders) > MAX_HEADER_BYTES) return TOO_LARGE;
  // RFC 9110 §9.1: "get" is not GET, though the router would treat it as such.
  if (!KNOWN_METHODS.has(method)) return UNKNOWN_METHOD;
  const { ':authority': authority, host } = headers;
  if (authority === undefined || host === undefined) return undefined;
  // RFC 9113 §8.3.1: a request whose two fields identify different entities is malformed.
  return entityOf(String(authority), scheme) === entityOf(host, scheme) ? undefined : TWO_AUTHORITIES;
}

function sizeOf(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((size, text) => size + text.length, 0);
}

/** Every value; the parser keeps only the first. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]!;
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1]!);
  }
  return values;
}

/** RFC 9110 §4.2.3: hosts are case-insensitive, and the default port may be omitted. */
function entityOf(authority: string, scheme: string): string {
  return authority.toLowerCase().replace(scheme === 'https' ? /:(443)?$/ : /:(80)?$/, '');
}
