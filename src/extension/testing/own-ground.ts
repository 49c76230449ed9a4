import { testDatabaseUrl } from '../../foundation/config/test-database-url.js';
import { KeyPairs } from '../../foundation/crypto/key-pairs.js';
import { PortRange } from './free-port.js';
import type { TestDatabase } from './test-database.js';
import { makeKey, type TestKey } from './test-key.js';
import { TestServer } from './test-server.js';

/** The source of the databases, ports and keys of worlds. */
export interface Ground {
  database(): Promise<TestDatabase>;
  freePort(): Promise<number>;
  /** The key pairs of a service. */
  keyPairs(): KeyPairs;
  /** A key of a client or service user. */
  makeKey(algorithm: string): Promise<Omit<TestKey, 'kid'>>;
}

/** The server of `DATABASE_URL`, or an embedded one, for as long as the process has worlds. */
class OwnGround implements Ground {
  private readonly ports = new PortRange(process.pid);
  private server: Promise<TestServer> | undefined;
  private worlds = 0;

  async database(): Promise<TestDatabase> {
    this.worlds += 1;
    try {
      this.server ??= TestServer.open(testDatabaseUrl());
      const clone = await (await this.server).clone();
      return {
        ...clone,
        release: async () => {
          await clone.release();
          await this.leave();
        },
      };
    } catch (error) {
      await this.leave();
      throw error;
    }
  }

  async freePort(): Promise<number> {
    return this.ports.free();
  }

  keyPairs(): KeyPairs {
    return new KeyPairs();
  }

  async makeKey(algorithm: string): Promise<Omit<TestKey, 'kid'>> {
    return makeKey(algorithm);
  }

  private async leave(): Promise<void> {
    this.worlds -= 1;
    if (this.worlds > 0) return;
    const last = this.server;
    this.server = undefined;
    const server = await last?.catch(() => undefined); // who asked for it has heard of it
    await server?.close();
  }
}

export const ownGround: Ground = new OwnGround();
