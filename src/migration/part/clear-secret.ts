import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../../foundation/config/secret.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { PasswordHash } from '../../foundation/password/password-hash.js';
import { composed } from '../../foundation/password/typed-password.js';
import type { BulkConnection } from './bulk-connection.js';
import type { Row, Stage } from './stage.js';

/** A secret that the document holds in clear. It is hashed before the row is staged; nothing else may see it. */
export interface ClearSecrets {
  /** The column that receives the hash, or a list of hashes. */
  readonly column: string;
  readonly isList: boolean;
  /** The secrets, in clear or already hashed. */
  readonly secrets: ReadonlyArray<Secret | string>;
}

/** A row, with its marks, whose secrets are still to be hashed. */
export interface UnhashedRow {
  readonly row: Row;
  readonly clear: ClearSecrets;
}

const RETRY_MS = 1_000;
/** Leaves one core to people who sign in meanwhile. */
const LANES = Math.max(1, availableParallelism() - 1);

/** Hashes the secrets that came in clear, before any transaction begins. */
export class ClearSecretHasher {
  constructor(
    private readonly passwords: PasswordHash,
    private readonly connection: BulkConnection,
  ) {}

  /**
   * Returns the rows with hashes, in their order. A stored hash that matches is kept, so importing the same document
   * changes nothing.
   */
  async hashAll(stage: Stage, waiting: readonly UnhashedRow[]): Promise<Row[]> {
    const hashed: Row[] = [];
    for (let at = 0; at < waiting.length; at += LANES) {
      const some = waiting.slice(at, at + LANES);
      const stored: string[][] = [];
      for (const { row, clear } of some) stored.push(await this.storedOf(stage, row, clear.column));
      hashed.push(...(await Promise.all(some.map(async (each, index) => this.hash(each, stored[index]!)))));
      this.connection.checkTime();
    }
    return hashed;
  }

  private async hash({ row, clear }: UnhashedRow, stored: string[]): Promise<Row> {
    const hashes: string[] = [];
    for (const secret of clear.secrets)
      hashes.push(secret instanceof Secret ? await this.hashOf(secret, stored) : secret);
    return { ...row, [clear.column]: clear.isList ? hashes : hashes[0] };
  }

  /** Finds the stored hash. Both lists usually have the same order, so the first one is usually right. */
  private async hashOf(secret: Secret, stored: string[]): Promise<string> {
    const text = composed(secret);
    for (const [index, hash] of stored.entries()) {
      if (await this.patiently(() => this.passwords.verifyUnpadded(hash, text))) return stored.splice(index, 1)[0]!;
    }
    return this.patiently(() => this.passwords.hash(secret));
  }

  /** A half-read document must not fail because many people are signing in: retry for as long as the request allows. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DomainError) || error.reason !== 'password.busy') throw error;
        await sleep(RETRY_MS);
        this.connection.checkTime();
      }
    }
  }

  private async storedOf(stage: Stage, row: Row, column: string): Promise<string[]> {
    const where = stage.key.map((name, place) => `${name} = :key${place}`).join(' AND ');
    const [found] = await this.connection.query<{ stored: string | string[] | null }>(
      `SELECT ${column} AS stored FROM ${stage.table} WHERE ${where}`,
      Object.fromEntries(stage.key.map((name, place) => [`key${place}`, row[name] as string])),
    );
    return found?.stored == null ? [] : [found.stored].flat();
  }
}
