import type { JWK } from 'jose';
import type { Clock } from '../time/clock.js';
import { type DocumentPlace, RemoteDocuments } from './remote-documents.js';

interface Keys {
  readonly keys: readonly JWK[];
}

/** The keys that others publish, cached as `RemoteDocuments` does. */
export class PublishedKeySets {
  private readonly sets: RemoteDocuments<Keys>;

  constructor(
    clock: Clock,
    /** Fetches the usable keys, or throws. */
    load: (place: DocumentPlace) => Promise<readonly JWK[]>,
    restAfterFailureSeconds = 0,
  ) {
    this.sets = new RemoteDocuments(clock, async (place) => ({ keys: await load(place) }), restAfterFailureSeconds);
  }

  /**
   * The key that `choose` finds in the cached set, otherwise in a newly fetched one.
   * @throws what `load` throws
   */
  async findKey(place: DocumentPlace, choose: (keys: readonly JWK[]) => JWK | undefined): Promise<JWK | undefined> {
    const known = await this.sets.get(place);
    return choose(known.keys) ?? choose((await this.sets.getNewer(place, known)).keys);
  }
}
