/** The key under which the first copy of the package that a process loads leaves its address. */
const KEY: unique symbol = Symbol.for('gatehouse');

/**
 * Two copies have each their own classes and symbols: what one makes, the other does not know, and that shows late and
 * far from its cause.
 * @throws Error if another copy is loaded already
 */
export function claimThisProcess(url: string, processWide: { [KEY]?: string }): void {
  const first = (processWide[KEY] ??= url);
  if (first === url) return;
  throw new Error(
    `Two copies of gatehouse are loaded: ${first} and ${url}. ` +
      'Extensions name gatehouse as a peer dependency; remove the copy that one of them has installed.',
  );
}

const processWide: object = globalThis;
claimThisProcess(import.meta.url, processWide);
