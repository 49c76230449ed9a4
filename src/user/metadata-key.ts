/** Operations beside `metadata/{key}`: an entry of this name could not be reached by its path. */
const OPERATIONS: readonly string[] = ['_bulk', '_search'];
/** URLs are normalized before they are sent (RFC 3986 §5.2.4), also where the dots are encoded (WHATWG URL). */
const DOTS: readonly string[] = ['.', '..'];

/** Why a key cannot be part of a path, as the end of a sentence that begins with its field. */
export function metadataKeyProblem(key: string): string | undefined {
  if (OPERATIONS.includes(key)) return `must not be ${key}, which is the name of an operation`;
  return DOTS.includes(key) ? 'must not be . or .., which are no part of a path' : undefined;
}
