import { sha256 } from '../../foundation/crypto/digest.js';
import type { Report } from './report.js';
import type { SourceObject } from './source-object.js';

const BITS = 2 ** 26;

/**
 * Which keys may occur more than once among very many: 8 MB however many there are. A few are taken for repeated that
 * are not.
 */
export class Repeats {
  private readonly seen = new Uint32Array(BITS / 32);
  private readonly again = new Set<number>();

  see(key: string): void {
    const bit = bitOf(key);
    const [word, mask] = [bit >>> 5, 1 << (bit & 31)];
    if ((this.seen[word]! & mask) !== 0) this.again.add(bit);
    this.seen[word]! |= mask;
  }

  mayRepeat(key: string): boolean {
    return this.again.has(bitOf(key));
  }
}

function bitOf(key: string): number {
  return sha256(key).readUInt32LE(0) % BITS;
}

/** Says what becomes of an object that comes a second time. */
export function reportDouble(kind: string, isSame: boolean, name: string, report: Report): void {
  if (isSame) report.note(`${kind} that the export contains more than once, alike: one is kept`, name);
  else
    report.lose(`${kind} that the export contains more than once, with differences: only the first one is kept`, name);
}

/** Given by Keycloak, and without meaning for what is kept. */
const OWN_IDS = ['id', 'containerId', 'internalId'];

/**
 * The first object of each name. Keycloak itself refuses files with several, which merging by hand or a script makes.
 */
export function* distinct(
  objects: readonly SourceObject[],
  kind: string,
  nameOf: (object: SourceObject) => string,
  report: Report,
): Generator<SourceObject> {
  const known = new Map<string, string>();
  for (const object of objects) {
    const [name, content] = [nameOf(object), object.content(OWN_IDS)];
    const first = known.get(name);
    if (first === undefined || name === '') {
      known.set(name, content);
      yield object;
    } else {
      object.skip();
      reportDouble(kind, first === content, object.label.name || name, report);
    }
  }
}
