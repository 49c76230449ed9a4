import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { org, person, requestOf } from '../../bench/migration/document.mjs';
import { ExportService } from '../../src/migration/export.service.js';
import { ImportService } from '../../src/migration/import.service.js';
import { bytesOf, counted, textOf } from '../migration/counted.js';
import type { Work } from '../migration/work.js';
import { EDITOR } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { desksWith } from './moving-desks.js';

/** Where each is compared with each, half a million. */
const ROWS = 700;
/** Steps of a plan through which one row goes, and rows of others that are looked up for it. */
const ROWS_EACH = 40;

let world: World;

beforeAll(async () => {
  world = await startWorld({ extensions: [desksWith()] });
});
afterAll(() => world.close());

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** People of whom each has a badge with a chip, and a friend. */
async function* request(): AsyncGenerator<string> {
  let text = '';
  const lists: ReadonlyArray<readonly [string, number, (n: number) => object]> = [
    ['humanUsers', ROWS, (n) => person(n, { id: `u${n}`, userName: `u${n}@moves.test` })],
  ];
  for await (const piece of requestOf({}, [{ about: org('moves'), lists }])) text += piece;
  const all = Array.from({ length: ROWS }, (_, n) => n);
  const desks = {
    badge: all.map((n) => ({ id: uuid(n), user_id: `u${n}`, number: `N-${n}`, pin: 'a pin' })),
    chip: all.map((n) => ({ id: `c${n}`, badge_id: uuid(n), code: 'a code' })),
    friend: all.map((n) => ({ user_id: `u${n}`, other_id: `u${(n + 1) % ROWS}` })),
  };
  const { dataOrgs } = JSON.parse(text) as { dataOrgs: { orgs: object[] } };
  Object.assign(dataOrgs.orgs[0]!, { extensions: { desks } });
  yield JSON.stringify({ dataOrgs });
}

const importAll = () =>
  counted(world, async () => {
    const outcome = await world.get(ImportService).start(EDITOR, bytesOf(request()), {
      inBackground: false,
      maxErrors: Number.POSITIVE_INFINITY,
    });
    if (outcome.kind !== 'answer') throw new Error('The import was to be answered at once.');
    return textOf(outcome.pieces);
  });
const beyond = (work: readonly Work[]): unknown[] =>
  work
    .filter(({ rows }) => rows > ROWS_EACH * ROWS)
    .map(({ rows, text, busiest }) => ({ rows, text: text.slice(0, 400), busiest }));

it('An import reads a bounded number of rows for each row of an extension, also of those that are there', async () => {
  for (let time = 0; time < 2; time += 1) {
    const { answer, work } = await importAll();
    expect((JSON.parse(answer) as { errors: unknown[] }).errors).toEqual([]);
    expect(beyond(work)).toEqual([]);
  }
});

it('So does an export', async () => {
  const { answer, work } = await counted(world, () =>
    textOf(
      world.get(ExportService).export(EDITOR, {
        orgIds: ['moves'],
        excludedOrgIds: [],
        withPasswords: true,
        withOtp: true,
        withKeys: true,
        withPasskeys: true,
        timeoutMs: 600_000,
      }),
    ),
  );
  const { orgs } = JSON.parse(answer) as { orgs: Array<{ extensions: { desks: Record<string, unknown[]> } }> };
  const { desks } = orgs[0]!.extensions;
  expect(Object.entries(desks).map(([table, rows]) => [table, rows.length])).toEqual([
    ['badge', ROWS],
    ['chip', ROWS],
    ['friend', ROWS],
  ]);
  expect(beyond(work)).toEqual([]);
});
