import { type Filled, Seam } from '../../foundation/extension/seam.js';
import type { SqlTransaction } from '../../foundation/extension/sql.js';

/** One call of a purge. Members may be added in a minor version. @beta */
export interface PurgeTurn {
  /** What has expired by then is to be removed. */
  readonly now: Date;
  /** The largest number of rows to remove, 1,000: short transactions keep nobody waiting. */
  readonly most: number;
}

/**
 * Removes rows of an extension that have expired. It is asked once a minute, in one process at a time, after the rows
 * of the product, in a transaction of its own.
 * @beta
 */
export interface ExtPurge {
  /** Lower-case letters, digits and hyphens: names it in the log. */
  readonly name: string;
  /**
   * Removes at most `most` rows within 5 s, and returns how many it removed: a `DELETE` of keys that a `SELECT … LIMIT`
   * found. If that was `most`, it is asked again at once, ten times at most. After an error, or for a number that is
   * none from 0 to `most`, everything it did in `tx` is rolled back, and it is asked again a minute later.
   */
  purge(tx: SqlTransaction, turn: PurgeTurn, signal: AbortSignal): Promise<number>;
}

/** @beta */
export const PURGE: Seam<ExtPurge> = new Seam<ExtPurge>('PURGE', 'many', {
  mistakes: purgeMistakes,
  nameOf: ({ name }) => name,
});

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

function purgeMistakes(filled: ReadonlyArray<Filled<ExtPurge>>): string[] {
  const names = filled.map((one) => purgeName(one));
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...filled
      .filter(({ part }) => !NAME.test(part.name))
      .map(
        ({ extension, name }) =>
          `${name} of the extension ${extension} needs a name of lower-case letters, digits and hyphens.`,
      ),
    ...repeated.map((name) => `Several purges have the name ${name}. Give each its own.`),
  ];
}

function purgeName({ extension, part }: Filled<ExtPurge>): string {
  return `${extension}/${part.name}`;
}
