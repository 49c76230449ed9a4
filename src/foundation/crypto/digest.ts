import { hash, timingSafeEqual } from 'node:crypto';

export function sha256(value: string | Buffer): Buffer {
  return hash('sha256', value, 'buffer');
}

export function sha256Base64Url(value: string): string {
  return hash('sha256', value, 'base64url');
}

/** Compares in constant time; both digests must have the same length. */
export function equalDigests(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
