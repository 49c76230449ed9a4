import { type KeyPair, KeyPairs } from '../../foundation/crypto/key-pairs.js';
import type { Ground } from '../testing/own-ground.js';
import type { TestDatabase } from '../testing/test-database.js';
import { makeKey } from '../testing/test-key.js';
import { newRunFolder, TestServer } from '../testing/test-server.js';
import { GivenServer } from './given-server.js';

/** One database, on a server of its own or a given one. It is begun at once, and given back if nobody takes it. */
export class IdpGround implements Ground, AsyncDisposable {
  readonly makeKey = makeKey;
  private readonly begun: Promise<TestDatabase>;
  private readonly keys = new KeyBeforehand();
  private isTaken = false;

  constructor(
    private readonly port: number,
    databaseUrl: string | undefined,
  ) {
    this.begun = databaseUrl === undefined ? onServerOfItsOwn() : GivenServer.newDatabase(databaseUrl);
    this.begun.catch(() => undefined); // who takes it hears of it
  }

  async database(): Promise<TestDatabase> {
    this.isTaken = true;
    return this.begun;
  }

  async freePort(): Promise<number> {
    return this.port;
  }

  keyPairs(): KeyPairs {
    return this.keys;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isTaken) return;
    const database = await this.begun.catch(() => undefined);
    await database?.release();
  }
}

/** The first key is made on another thread while the service is read. */
class KeyBeforehand extends KeyPairs {
  private first: Promise<KeyPair> | undefined = super.make('RS256');

  override async make(algorithm: string): Promise<KeyPair> {
    const { first } = this;
    if (algorithm !== 'RS256' || !first) return super.make(algorithm);
    this.first = undefined;
    return first;
  }
}

async function onServerOfItsOwn(): Promise<TestDatabase> {
  const server = await TestServer.openEmbedded(newRunFolder());
  try {
    return { ...(await server.clone()), release: async () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}
