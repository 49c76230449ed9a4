import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CASES } from '../../bench/migration/cases.mjs';
import { ImportService, type StagedImport } from '../../src/migration/import.service.js';
import { EDITOR } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { countWork, type Work } from './work.js';

/** Where each is compared with each, half a million. */
const PEOPLE = 700;
/** Steps of a plan through which one row goes, and rows of others that are looked up for it. */
const ROWS_EACH = 40;

let world: World;
let atFirst: readonly string[];

beforeAll(async () => {
  world = await startWorld();
  atFirst = (await world.rows<{ id: string }>('SELECT id FROM org')).map(({ id }) => id);
});
afterEach(async () => {
  await world.rows('DELETE FROM org WHERE id <> ALL ($1)', [atFirst]);
  await world.rows('DELETE FROM domain_policy WHERE owner_id NOT IN (SELECT id FROM instance)');
});
afterAll(() => world.close());

async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

/** Imports a request, and answers how much was left out, and the work of each statement. */
async function importAll(pieces: AsyncIterable<string>, { isCounted }: { readonly isCounted: boolean }): Promise<{ leftOut: number; work: Work[] }> {
  const imports = world.get(ImportService);
  const staged = (await imports.receive(EDITOR, bytesOf(pieces))) as StagedImport;
  const work = isCounted ? countWork(staged.session) : [];
  let answer = '';
  for await (const piece of imports.answer(staged)) answer += piece;
  return { leftOut: (JSON.parse(answer) as { errors: unknown[] }).errors.length, work };
}

it.each(CASES)('an import looks at a bounded number of rows for each row of its document: $name', async ({ before, request, leftOut = () => 0 }) => {
  if (before) await importAll(before(PEOPLE), { isCounted: false });
  const { leftOut: refused, work } = await importAll(request(PEOPLE), { isCounted: true });
  expect(refused).toBe(leftOut(PEOPLE));
  expect(work.filter(({ rows }) => rows > ROWS_EACH * PEOPLE)).toEqual([]);
});
