import type { JWK } from 'jose';
import type { Clock } from '../time/clock.js';
import { RemoteDocuments } from './remote-documents.js';

/** Where keys are published, and whoever configured that URL: an organization, or the instance. */
export interface KeySetPlace {
  readonly keysUrl: string;
  readonly ownerId: string;
}

interface Keys {
  readonly keys: readonly JWK[];
}

/** The keys that others publish, cached as `RemoteDocuments` does. */
export class PublishedKeySets {
  private readonly sets: RemoteDocuments<Keys>;

  constructor(
    clock: Clock,
    /** Fetches the usable keys, or throws. */
    load: (place: KeySetPlace) => Promise<readonly JWK[]>,
  ) {
    this.sets = new RemoteDocuments(clock, async (key) => ({ keys: await load(placeOf(key)) }));
  }

  /**
   * The key that `choose` finds in the cached set, otherwise in a newly fetched one.
   * @throws what `load` throws
   */
  async findKey(place: KeySetPlace, choose: (keys: readonly JWK[]) => JWK | undefined): Promise<JWK | undefined> {
    const key = keyOf(place);
    const known = await this.sets.get(key);
    return choose(known.keys) ?? choose((await this.sets.getNewer(key, known)).keys);
  }
}

/** By owner: a fetch that waits in the share of one organization must not be what another one waits for. */
function keyOf({ keysUrl, ownerId }: KeySetPlace): string {
  return JSON.stringify([keysUrl, ownerId]);
}

function placeOf(key: string): KeySetPlace {
  const [keysUrl, ownerId] = JSON.parse(key) as [string, string];
  return { keysUrl, ownerId };
}
