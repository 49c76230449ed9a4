import { createHash, type Hash } from 'node:crypto';

/**
 * The ETags that a storage could give to some content: its MD5, or for a multipart upload the MD5 of the parts' MD5s
 * and their number. Detects damage in transit, not tampering.
 */
export class EtagSum {
  private readonly whole = createHash('md5');
  private readonly parts: Buffer[] = [];
  private part: Hash = createHash('md5');
  private filled = 0;

  /** `partBytes`: the size of the parts, if known. */
  constructor(private readonly partBytes: number | undefined) {}

  update(bytes: Uint8Array): void {
    this.whole.update(bytes);
    if (this.partBytes === undefined) return;
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + this.partBytes - this.filled);
      this.part.update(taken);
      at += taken.length;
      this.filled += taken.length;
      if (this.filled === this.partBytes) this.endPart();
    }
  }

  /** Whether the tag belongs to different content; false if that cannot be decided. Call once, at the end. */
  contradicts(etag: string): boolean {
    const [, sum, count] = /^"?([0-9a-f]{32})(?:-(\d+))?"?$/i.exec(etag) ?? [];
    if (sum === undefined) return false;
    if (count === undefined) return sum.toLowerCase() !== this.whole.digest('hex');
    if (this.partBytes === undefined) return false;
    if (this.filled > 0) this.endPart();
    const ofParts = createHash('md5').update(Buffer.concat(this.parts)).digest('hex');
    return Number(count) !== this.parts.length || sum.toLowerCase() !== ofParts;
  }

  private endPart(): void {
    this.parts.push(this.part.digest());
    this.part = createHash('md5');
    this.filled = 0;
  }
}
