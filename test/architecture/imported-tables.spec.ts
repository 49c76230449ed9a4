import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { verdictSql, writeSql } from '../../src/migration/part/stage.js';
import { STAGES } from '../../src/migration/parts.js';

const root = join(import.meta.dirname, '..', '..');
const record = readFileSync(join(root, 'docs/adr/0042-imports-and-jobs.md'), 'utf8');

/** The tables of the record, and the room that each belongs to. */
const recorded = new Map(
  [...record.matchAll(/^\| `(\w+)` \| `([\w-]+)` \|/gm)].map(([, table, module]) => [table!, module!]),
);

const WRITES = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?([a-z_]+)\b/g;
const writtenIn = (sql: string): string[] => [...sql.matchAll(WRITES)].map(([, table]) => table!);

/** What the statements write that are composed of the stages; `pg_temp` is where staged rows are. */
function writtenByStages(): string[] {
  const statements = STAGES.flatMap((stage) => [
    writeSql(stage),
    ...(stage.prepare ?? []),
    ...[true, false].flatMap((skip) => [...(stage.resolve?.(skip) ?? []), ...verdictSql(stage, skip)]),
  ]);
  return statements.flatMap(writtenIn).filter((table) => table !== 'pg_temp');
}

function writtenBySources(): string[] {
  return globSync('src/migration/**/*.ts', { cwd: root }).flatMap((path) =>
    writtenIn(readFileSync(join(root, path), 'utf8')),
  );
}

/** The room in which the entity of each table stands. */
function owners(): Map<string, string> {
  return new Map(
    globSync('src/**/*.entity.ts', { cwd: root }).flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/@Entity\('(\w+)'\)/g)].map(
        ([, table]) => [table!, path.split('/')[1]!] as const,
      ),
    ),
  );
}

describe('The import writes the tables of other modules that are recorded in docs/adr/0042, and no others', () => {
  const written = [...new Set([...writtenByStages(), ...writtenBySources()])];
  const own = [...owners()].filter(([, module]) => module === 'migration').map(([table]) => table);

  it('by all its statements', () => {
    expect(written.filter((table) => !own.includes(table)).sort()).toEqual([...recorded.keys()].sort());
  });

  it.each([...recorded])('%s, which belongs to %s', (table, module) => {
    expect(owners().get(table)).toBe(module);
  });

  it('and the search finds a table however it is written', () => {
    expect(writtenIn('INSERT INTO a (b) SELECT 1; UPDATE b s SET x = 1; DELETE FROM c WHERE true')).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});
