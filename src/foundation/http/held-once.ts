/**
 * One copy of bytes that several answers send at once: each reads them from the database, and those that wait for their
 * readers would hold as many copies (OPS-014). Nothing is kept beyond the last of them.
 */
export class HeldOnce {
  private readonly held = new Map<string, WeakRef<Buffer>>();
  private readonly released = new FinalizationRegistry<string>((name) => {
    if (this.held.get(name)?.deref() === undefined) this.held.delete(name);
  });

  /** @param name what always stands for the same bytes */
  of(name: string, bytes: Buffer): Buffer {
    const known = this.held.get(name)?.deref();
    if (known) return known;
    this.held.set(name, new WeakRef(bytes));
    this.released.register(bytes, name);
    return bytes;
  }
}
