import { maxAgeOf } from '../../../foundation/http/cache-control.js';

/** The longest client ID there can be anywhere else. */
const MAX_CHARACTERS = 200;
/**
 * An address without user, query or fragment, with a host name in lower case, an optional port, and a path (draft,
 * Client Identifier).
 */
const DOCUMENT_URL =
  /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::([1-9]\d{0,4}))?(\/[\x21\x24-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7e%]*)$/;
const DOT_SEGMENT = /^(\.|%2e){1,2}$/i;
const IPV4_LIKE = /^(\d+|0x[0-9a-f]*)$/;

/** Where a metadata document is published. */
export interface DocumentUrl {
  readonly url: string;
  /** The host, with its port if that is not 443. */
  readonly host: string;
}

/**
 * A client ID that is the address of a metadata document (draft-ietf-oauth-client-id-metadata-document, Client
 * Identifier), spelled as a browser would spell it, so that one document has one client ID. Undefined for anything
 * else.
 */
export function readDocumentUrl(clientId: string): DocumentUrl | undefined {
  if (clientId.length > MAX_CHARACTERS) return undefined;
  const [, hostname = '', port, path = ''] = DOCUMENT_URL.exec(clientId) ?? [];
  if (path === '' || path === '/' || path.split('/').some((segment) => DOT_SEGMENT.test(segment))) return undefined;
  // The last part of an address in any of its spellings is a number, and that of a name never is.
  if (IPV4_LIKE.test(hostname.slice(hostname.lastIndexOf('.') + 1))) return undefined;
  if (!URL.canParse(clientId) || new URL(clientId).href !== clientId) return undefined;
  return { url: clientId, host: port === undefined ? hostname : `${hostname}:${port}` };
}

/** Whether an operator allows documents of this host; `*` is for names of the internet, on the usual port. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  return allowed.includes(host) || (allowed.includes('*') && host.includes('.') && !host.includes(':'));
}

/** How long the server of a document allows it to be kept, between a minute and an hour (RFC 9111 §5.2). */
export function validSecondsOf(cacheControl: string | undefined): number {
  const wanted = maxAgeOf(cacheControl) ?? USUAL_SECONDS;
  return Math.min(Math.max(wanted, SHORTEST_SECONDS), LONGEST_SECONDS);
}

const SHORTEST_SECONDS = 60;
const USUAL_SECONDS = 300;
const LONGEST_SECONDS = 3_600;
