import type { SealedPlace } from '../../foundation/crypto/vault.js';
import type { Queryable } from '../../foundation/database/statement.js';
import { type Stage, sameKey, staging } from './stage.js';
import { queryOnce } from './unprepared-query.js';

interface SealedPair {
  readonly _position: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Replaces equal sealed values by their stored form, so that they compare as equal. `equal` opens both. */
export async function alignSealed(
  tx: Queryable,
  stage: Stage,
  equal: (mine: string, theirs: string, place: SealedPlace) => boolean,
): Promise<void> {
  for (const sealed of stage.sealed ?? []) await alignColumn(tx, stage, sealed, equal);
}

async function alignColumn(
  tx: Queryable,
  stage: Stage,
  sealed: NonNullable<Stage['sealed']>[number],
  equal: (mine: string, theirs: string, place: SealedPlace) => boolean,
): Promise<void> {
  const staged = staging(stage);
  for (let last = '-1'; ; ) {
    const pairs = await queryOnce<SealedPair & Readonly<Record<string, string>>>(
      tx,
      `SELECT s.*, s.${sealed.column} AS mine, t.${sealed.column} AS theirs
       FROM ${staged} s
       JOIN ${stage.table} t ON ${sameKey(stage.key)}
       WHERE s._position > :last
         AND s.${sealed.column} IS NOT NULL
         AND t.${sealed.column} IS NOT NULL
         AND ${stage.ownerOf('t')} = s._org
       ORDER BY s._position
       LIMIT 2000`,
      { last },
    );
    if (pairs.length === 0) return;
    const same = pairs
      .filter((pair) => equal(pair.mine, pair.theirs, sealed.place(pair)))
      .map(({ _position }) => _position);
    await queryOnce(
      tx,
      `UPDATE ${staged} s
       SET ${sealed.column} = t.${sealed.column}
       FROM ${stage.table} t
       WHERE s._position = ANY(:same::bigint[]) AND ${sameKey(stage.key)}`,
      { same },
    );
    last = pairs.at(-1)!._position;
  }
}
