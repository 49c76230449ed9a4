import type { Ground } from '../../src/extension/testing/own-ground.js';
import type { WorldParts } from '../../src/extension/testing/service-launch.js';
import { openWorld, World as PublishedWorld } from '../../src/extension/testing/world.js';
import type { WorldOptions as PublishedOptions } from '../../src/extension/testing/world-options.js';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { makeKey } from './builders.js';
import { workerDatabase } from './database.js';
import { Fixtures } from './fixtures.js';
import { freePort } from './free-port.js';
import { describedElsewhere } from './http.js';
import { KeyStock } from './key-stock.js';

export interface WorldOptions extends PublishedOptions {
  /** A second process on the same database, with the same master key and clock. */
  readonly replicaOf?: World;
}

/** What the worlds of this run share. */
const ground: Ground = { database: workerDatabase, freePort, keyPairs: () => new KeyStock(), makeKey };

/** The world that teams get, and what only tests of the product itself look at. */
export class World extends PublishedWorld {
  /** The clients, people and service users of the tests that attack. */
  readonly cast: Fixtures;

  constructor(parts: WorldParts, elder?: World) {
    super(parts);
    this.cast = elder?.cast ?? new Fixtures(this);
    if (this.config.issuer.isOfAnotherVendor) describedElsewhere.add(this.origin);
  }

  /**
   * A digest of everything that is stored, to see whether anything changed; without counters of failed tries, the
   * journal, and what the service measures, counts and rotates by itself.
   */
  async contents(): Promise<string> {
    await this.get(MailWorker).run();
    // Each table by a statement of its own, since PostgreSQL would start processes for one over all of them; empty ones
    // by their size.
    const digests = await this.rows<{ digest: string }>(
      `SELECT
         relname || ' ' || CASE pg_relation_size(oid) WHEN 0 THEN '' ELSE coalesce(
           substring(
             query_to_xml(
               format('SELECT md5(string_agg(t::text, '','' ORDER BY t::text)) AS digest FROM %s t', oid::regclass),
               true, true, ''
             )::text
             FROM '[0-9a-f]{32}'
           ),
           ''
         ) END AS digest
       FROM pg_class
       WHERE relnamespace = 'public'::regnamespace
         AND relkind = 'r'
         AND relname NOT IN ('attempt', 'day_count', 'event', 'hash_speed', 'idp_test', 'password_mix', 'password_mix_count', 'signing_key')
       ORDER BY relname`,
    );
    return digests.map(({ digest }) => digest).join('\n');
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      describedElsewhere.delete(this.origin);
    }
  }
}

/** Starts the service in this process; end it with `close()`. */
export async function startWorld({ replicaOf: elder, ...options }: WorldOptions = {}): Promise<World> {
  return openWorld(options, ground, (parts) => new World(parts, elder), elder);
}
