import { createHash, type Hash } from 'node:crypto';

/**
 * The tags that a storage would give to some content: its MD5, or, of a file that came in parts, the MD5 of those of its parts and
 * their number. Against damage on the way, not against anybody.
 */
export class EtagSum {
  private readonly whole = createHash('md5');
  private readonly parts: Buffer[] = [];
  private part: Hash = createHash('md5');
  private filled = 0;

  /** `partBytes`: of how many bytes its parts are, if that is known. */
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

  /** Whether the tag is of another content; false where that cannot be told. To be asked once, at the end. */
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
