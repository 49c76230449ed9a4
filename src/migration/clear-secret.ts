import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PasswordHash } from '../crypto/password-hash.js';
import { Secret } from '../crypto/secret.js';
import { DomainError } from '../error/domain-error.js';
import type { Row } from './part/part.js';
import type { BulkSession } from './session.js';
import type { Stage } from './stage.js';

/** What a document holds in clear, and nothing else of ours may: it is hashed before the row is staged. */
export interface ClearSecrets {
  /** Where the hash belongs, or a list of them. */
  readonly column: string;
  readonly isList: boolean;
  /** In clear, or hashed already. */
  readonly secrets: ReadonlyArray<Secret | string>;
}

/** A row, with its marks, that waits for its hashes. */
export interface UnhashedRow {
  readonly row: Row;
  readonly clear: ClearSecrets;
}

const RETRY_MS = 1_000;
/** One core is left to those who sign in meanwhile. */
const LANES = Math.max(1, availableParallelism() - 1);

/** Hashes what came in clear, before any transaction begins. */
export class ClearSecretHasher {
  constructor(
    private readonly passwords: PasswordHash,
    private readonly session: BulkSession,
  ) {}

  /** The rows with hashes, in their order. What is stored already and fits keeps its hash: the same document changes nothing. */
  async hashAll(stage: Stage, waiting: readonly UnhashedRow[]): Promise<Row[]> {
    const hashed: Row[] = [];
    for (let at = 0; at < waiting.length; at += LANES) {
      const some = waiting.slice(at, at + LANES);
      const stored: string[][] = [];
      for (const { row, clear } of some) stored.push(await this.storedOf(stage, row, clear.column));
      hashed.push(...(await Promise.all(some.map(async (each, index) => this.hash(each, stored[index]!)))));
      this.session.checkTime();
    }
    return hashed;
  }

  private async hash({ row, clear }: UnhashedRow, stored: string[]): Promise<Row> {
    const hashes: string[] = [];
    for (const secret of clear.secrets)
      hashes.push(secret instanceof Secret ? await this.hashOf(secret, stored) : secret);
    return { ...row, [clear.column]: clear.isList ? hashes : hashes[0] };
  }

  /** They are likely to stand in one order, so that the first is mostly the right one. */
  private async hashOf(secret: Secret, stored: string[]): Promise<string> {
    for (const [index, hash] of stored.entries()) {
      if (await this.patiently(() => this.passwords.verifyUnpadded(hash, secret))) return stored.splice(index, 1)[0]!;
    }
    return this.patiently(() => this.passwords.hash(secret));
  }

  /** A document that was half read does not end because many people sign in: it tries again, for as long as its request may take. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DomainError) || error.reason !== 'password.busy') throw error;
        await sleep(RETRY_MS);
        this.session.checkTime();
      }
    }
  }

  private async storedOf(stage: Stage, row: Row, column: string): Promise<string[]> {
    const where = stage.key.map((name, index) => `${name} = $${index + 1}`).join(' AND ');
    const [found] = await this.session.query<{ stored: string | string[] | null }>(
      `SELECT ${column} AS stored FROM ${stage.table} WHERE ${where}`,
      stage.key.map((name) => row[name] as string),
    );
    return found?.stored == null ? [] : [found.stored].flat();
  }
}
