import { ensureBuilt } from '../../scripts/build.mjs';
import { built } from './built.ts';
import { announceTestServer } from './test-server.ts';

/** Few services rotate their keys more often. */
const KEYS = 4;

type Server = typeof import('../../src/extension/testing/test-server.js');
type Keys = typeof import('../../src/foundation/crypto/key-pairs.js');

/**
 * One PostgreSQL server for the run, with one database that has the schema; each test file clones that (database.ts).
 */
export default async function setUp(): Promise<void> {
  // SKIP_BUILD=1 tests the last build, for changes that do not compile yet.
  if (process.env.SKIP_BUILD !== '1') await ensureBuilt();
  const { KeyPairs } = built<Keys>('foundation/crypto/key-pairs');
  const { TestServer } = built<Server>('extension/testing/test-server');
  const keyPairs = new KeyPairs();
  const [server, keys] = await Promise.all([
    TestServer.open(process.env.DATABASE_URL),
    Promise.all(Array.from({ length: KEYS }, () => keyPairs.make('RS256'))),
  ]);
  announceTestServer({ connection: server.connection, template: server.template, keys });
  cleanUps.push(() => server.close());
}

/** What global-teardown.ts does, last made first. */
export const cleanUps: Array<() => Promise<void>> = [];
