/**
 * Stores the files that exports write and imports read, which are too large for a request. Content comes and goes piece
 * by piece, at the speed of the slower side: no store holds a whole file.
 */
export interface ObjectStore {
  /**
   * Writes a file completely, or not at all: until the content has ended nothing can be read under its path, and after
   * an error there is nothing. The content is read to its end, once; it fails when the signal is aborted. Never
   * replaces a file.
   * @param path such as `2026/all.json.gz`: at most 1,024 bytes, in which no part is empty or begins with a dot
   * @throws DomainError AlreadyExists `store.object_exists`; an error of the content; the reason of the signal, with
   * nothing left behind
   */
  write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;

  /**
   * The content of a file, read while it is iterated. The iteration fails if the content is damaged or ends early, and
   * gives back what it holds when it is ended early or the signal is aborted.
   * @throws DomainError NotFound `store.object_not_found`
   */
  read(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}
