import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** This quality saves two thirds of what the best one saves, in a tenth of its time. */
const BROTLI_QUALITY = 5;

const compressBy: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/**
 * A text that is sent often. Each coding of it is made once, when it is first asked for, and all answers share its
 * bytes: of a text, each answer that waits for its reader would hold a copy (OPS-014).
 */
export class Compressed {
  readonly etag: string;
  readonly bytes: Buffer;
  private readonly coded = new Map<Coding, Promise<Buffer>>();

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    // Weak: the same for every coding (RFC 9110 §8.8.3.3).
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`;
  }

  async as(coding: Coding): Promise<Buffer> {
    if (!this.coded.has(coding)) this.coded.set(coding, compressBy[coding](this.bytes));
    return this.coded.get(coding)!;
  }
}

/**
 * The best of those that the client takes (RFC 9110 §12.5.3). A weight of 0 is a refusal; the others do not matter
 * here.
 */
export function codingFor(accepted: string | undefined): Coding | undefined {
  const taken = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((one) => one.split(';').map((part) => part.trim()))
      .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  );
  return CODINGS.find((coding) => taken.has(coding));
}
