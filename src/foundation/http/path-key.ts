/** URLs lose them, also where they are encoded (RFC 3986 §5.2.4, WHATWG URL): what is named is the object above. */
const DOTS: readonly string[] = ['.', '..'];

/**
 * A key that a caller may choose, and that paths contain in a place where other paths have a word: `roles/{roleKey}`
 * beside `roles/_search`. Such a key would reach the other operation, and `..` would reach the project (ADM-098).
 * Those that exist are read, changed and removed as before.
 */
export class PathKey {
  /** @param words that other paths have in its place; test/contract finds them in openapi.json */
  constructor(readonly words: readonly string[]) {}

  /** Why a key cannot be part of a path, as the end of a sentence that begins with its field. */
  problem(key: string): string | undefined {
    if (DOTS.includes(key)) return `must not be ${key}, which URLs take for a place above`;
    // The router ignores the case of paths.
    return this.words.includes(key.toLowerCase())
      ? `must not be ${key}, which is a word in the paths of the API`
      : undefined;
  }

  /** Whether a column has such a key, as SQL: in lower case as the router has it, in each language of a database. */
  isIn(column: string): string {
    return `lower(${column} COLLATE "C") IN (${[...DOTS, ...this.words].map((word) => `'${word}'`).join(', ')})`;
  }
}
