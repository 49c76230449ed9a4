import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Two thirds of what is best are reached in a tenth of the time. */
const BROTLI_QUALITY = 5;

const compressBy: Readonly<Record<Coding, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (text) => promisify(gzip)(text),
};

/** A text that is sent often: each coding of it is made once, when it is first asked for. */
export class Compressed {
  readonly etag: string;
  private readonly coded = new Map<Coding, Promise<Buffer>>();

  constructor(readonly text: string) {
    // Weak: the same for every coding (RFC 9110 §8.8.3.3).
    this.etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  }

  async as(coding: Coding): Promise<Buffer> {
    if (!this.coded.has(coding)) this.coded.set(coding, compressBy[coding](this.text));
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
