/** Bytes of one of the two numbers of a signature on P-256. */
const NUMBER_BYTES = 32;

/** Where the first number's length stands: after the tag and length of the sequence and the tag of the number. */
const FIRST_LENGTH_AT = 3;

/**
 * An ECDSA signature on P-256 as JWS has it, R and S of 32 bytes each (RFC 7518 §3.4), from the DER form that Node
 * signs in: a sequence of two integers without leading zeros, but with one before a set highest bit (RFC 3279 §2.2.3).
 *
 * Node could return it so by itself, but only for a key within an object, which it then tries as two other kinds of key
 * before: that takes as long as the signature.
 */
export function toJoseSignature(der: Buffer): Buffer {
  const signature = Buffer.alloc(2 * NUMBER_BYTES);
  let start = FIRST_LENGTH_AT + 1;
  for (const end of [NUMBER_BYTES, 2 * NUMBER_BYTES]) {
    const next = start + der[start - 1]!;
    const from = Math.max(start, next - NUMBER_BYTES);
    der.copy(signature, end - (next - from), from, next);
    start = next + 2;
  }
  return signature;
}
