import { duplicateMember, unstorableMember } from './json-members.js';

export type JwsFlaw =
  | 'too_long'
  | 'not_a_jws'
  | 'encoding_not_canonical'
  | 'header_unreadable'
  | 'header_ambiguous'
  | 'header_critical'
  | 'payload_unreadable'
  | 'payload_ambiguous';

/** Why a text is not an unambiguous JWT. This is for the log: callers only learn that the token is not valid. */
export class MalformedJws extends Error {
  constructor(
    readonly flaw: JwsFlaw,
    cause?: unknown,
  ) {
    super(`malformed JWS: ${flaw}`, { cause });
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The contents of a JWT, unverified: the signature has not been checked. */
export interface CompactJws {
  readonly header: JsonObject;
  readonly payload: JsonObject;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JWT in the compact serialization (RFC 7515 §3.1, RFC 7519 §7.2), strictly; every JWT that reaches the service
 * passes here. A token has one spelling. What lenient decoders tolerate is refused: padding, white space, line breaks,
 * the other base64 alphabet, set bits after the last byte (RFC 4648 §3.5), and repeated member names, of which RFC 7515
 * §4 and RFC 7519 §4 let parsers use either.
 * @throws MalformedJws
 */
export function readCompactJws(text: string, maxCharacters: number): CompactJws {
  if (text.length > maxCharacters) throw new MalformedJws('too_long');
  const parts = text.split('.', 4);
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || !header || !payload || signature === undefined) throw new MalformedJws('not_a_jws');
  const [headerBytes, payloadBytes] = parts.map(decodeCanonical);
  const jose = readObject(headerBytes!, 'header');
  // RFC 7515 §4.1.11: an unknown extension must not be ignored, and we support none.
  if (jose['crit'] !== undefined) throw new MalformedJws('header_critical');
  return { header: jose, payload: readObject(payloadBytes!, 'payload') };
}

/** Like `readCompactJws`, with the caller's own error for a malformed JWT. */
export function readCompactJwsOr(
  text: string,
  maxCharacters: number,
  toRefusal: (error: MalformedJws) => Error,
): CompactJws {
  try {
    return readCompactJws(text, maxCharacters);
  } catch (error) {
    throw error instanceof MalformedJws ? toRefusal(error) : error;
  }
}

function decodeCanonical(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new MalformedJws('encoding_not_canonical');
  return bytes;
}

function readObject(bytes: Buffer, part: 'header' | 'payload'): JsonObject {
  const { text, value } = parse(bytes, part);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MalformedJws(`${part}_unreadable`);
  if (duplicateMember(text) !== undefined) throw new MalformedJws(`${part}_ambiguous`);
  // RFC 7493 §2.1: no text of UTF-8 has them, and what is in a token may be stored.
  if (unstorableMember(text, value) !== undefined) throw new MalformedJws(`${part}_unreadable`);
  return value as JsonObject;
}

function parse(bytes: Buffer, part: 'header' | 'payload'): { text: string; value: unknown } {
  try {
    const text = UTF8.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw new MalformedJws(`${part}_unreadable`, error);
  }
}
