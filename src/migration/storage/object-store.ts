import { DomainError } from '../../foundation/error/domain-error.js';
import { type Filled, Seam } from '../../foundation/extension/seam.js';

/**
 * Stores the files that exports write and imports read, which are too large for a request. Content comes and goes piece
 * by piece, at the speed of the slower side: no store holds a whole file.
 * @beta
 */
export interface ObjectStore {
  /**
   * Writes a file completely, or not at all: until the content has ended nothing can be read under its path, and after
   * an error there is nothing. The content is read to its end, once; it fails when the signal is aborted. Never
   * replaces a file.
   * @param path such as `2026/all.json.gz`: at most 1,024 bytes, in which no part is empty or begins with a dot
   * @throws ObjectExists; an error of the content; the reason of the signal, within 10 s, with nothing left behind
   */
  write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;

  /**
   * The content of a file, read while it is iterated. The iteration fails if the content is damaged or ends early, and
   * gives back what it holds when it is ended early or the signal is aborted.
   * @throws ObjectMissing
   */
  read(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * An object store of an extension. The file `2026/all.json` in the store `vault` of the extension `hr` is
 * `hr:vault/2026/all.json`, wherever a path in the directory of the service could be given.
 * @beta
 */
export interface ExtObjectStore extends ObjectStore {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
}

/** There is a file of that path already. @beta */
export class ObjectExists extends DomainError {
  constructor(path: string, options: ErrorOptions = {}) {
    super(
      'AlreadyExists',
      'store.object_exists',
      `${path} already exists and is not replaced. Choose another path, or remove the file.`,
      options,
    );
  }
}

/** There is no file of that path. @beta */
export class ObjectMissing extends DomainError {
  constructor(path: string, options: ErrorOptions = {}) {
    super('NotFound', 'store.object_not_found', `The file ${path} does not exist. Check its path.`, options);
  }
}

/** @beta */
export const OBJECT_STORE: Seam<ExtObjectStore> = new Seam<ExtObjectStore>('OBJECT_STORE', 'many', {
  mistakes: objectStoreMistakes,
  nameOf: ({ name }) => name,
});

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** `gatehouse export --to dir:PATH` names the directory of the service. */
const DIRECTORY = 'dir';

function objectStoreMistakes(filled: ReadonlyArray<Filled<ExtObjectStore>>): string[] {
  const names = filled.map((one) => objectStoreName(one));
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const strange = filled.filter(({ part }) => typeof part.write !== 'function' || typeof part.read !== 'function');
  return [
    ...filled
      .filter(({ part }) => typeof part.name !== 'string' || !NAME.test(part.name))
      .map(
        ({ extension, name }) =>
          `${name} of the extension ${extension} needs a name of lower-case letters, digits and hyphens.`,
      ),
    ...strange.map(
      ({ extension, name }) =>
        `${name} of the extension ${extension} must have write and read, as an object store has.`,
    ),
    ...repeated.map((name) => `Several object stores have the name ${name}. Give each its own.`),
    ...filled
      .filter(({ extension }) => extension === DIRECTORY)
      .map(
        ({ name }) =>
          `${name} cannot be an object store of an extension with the id ${DIRECTORY}: files in the directory of the service are called so. Choose another id.`,
      ),
  ];
}

/** `hr:vault` */
export function objectStoreName({ extension, part }: Filled<ExtObjectStore>): string {
  return `${extension}:${part.name}`;
}
