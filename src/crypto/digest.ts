import { createHash, hash, timingSafeEqual } from 'node:crypto';

export function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

export function sha256Base64Url(value: string): string {
  return hash('sha256', value, 'base64url');
}

/** Compares in a time that depends on neither content; digests of equal length on both sides. */
export function equalDigests(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
