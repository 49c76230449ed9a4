import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CASES } from '../../bench/migration/cases.mjs';
import { org, person, requestOf, SEED } from '../../bench/migration/document.mjs';
import { ExportService } from '../../src/migration/export.service.js';
import { ImportService } from '../../src/migration/import.service.js';
import { EDITOR } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { bytesOf, counted, textOf } from './counted.js';
import type { Work } from './work.js';

/** Where each is compared with each, half a million. */
const PEOPLE = 700;
/** Steps of a plan through which one row goes, and rows of others that are looked up for it. */
const ROWS_EACH = 40;

let world: World;
let atFirst: readonly string[];
/** As autovacuum may do at any moment, to the tables of the service. */
let analyze: string;

beforeAll(async () => {
  world = await startWorld();
  // At a moment that nothing determines it would change what the plans of the statements are made from.
  await world.rows(`DO $$
    DECLARE name text;
    BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', name);
      END LOOP;
    END $$`);
  const tables = await world.rows<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  analyze = `ANALYZE ${tables.map(({ name }) => name).join(', ')}`;
  await world.rows(analyze);
  atFirst = (await world.rows<{ id: string }>('SELECT id FROM org')).map(({ id }) => id);
});
afterEach(async () => {
  await world.rows('DELETE FROM org WHERE id <> ALL ($1)', [atFirst]);
  await world.rows('DELETE FROM domain_policy WHERE owner_id NOT IN (SELECT id FROM instance)');
  // The tables then seem to be nearly empty, although their indexes are not.
  await world.rows(analyze);
});
afterAll(() => world.close());

/** Imports a request, and answers how much was left out, and the work of each statement. */
async function importAll(
  pieces: AsyncIterable<string>,
  { isCounted }: { readonly isCounted: boolean },
): Promise<{ leftOut: number; work: Work[] }> {
  const run = async (): Promise<string> => {
    const options = { inBackground: false, maxErrors: Infinity };
    const outcome = await world.get(ImportService).start(EDITOR, bytesOf(pieces), options);
    if (outcome.kind !== 'answer') throw new Error('The import was to be answered at once.');
    return textOf(outcome.pieces);
  };
  const { answer, work } = isCounted ? await counted(world, run) : { answer: await run(), work: [] };
  const { errors } = JSON.parse(answer) as { errors: unknown[] };
  return { leftOut: errors.length, work };
}

/** Exports organizations, and answers how many people the document holds, and the work of each statement. */
async function exportAll(orgIds: readonly string[]): Promise<{ people: number; work: Work[] }> {
  const { answer, work } = await counted(world, () =>
    textOf(
      world.get(ExportService).export(EDITOR, {
        orgIds,
        excludedOrgIds: [],
        withPasswords: true,
        withOtp: true,
        withKeys: true,
        withPasskeys: true,
        timeoutMs: 600_000,
      }),
    ),
  );
  const { orgs } = JSON.parse(answer) as { orgs: ReadonlyArray<{ humanUsers?: unknown[] }> };
  return { people: orgs.reduce((sum, { humanUsers = [] }) => sum + humanUsers.length, 0), work };
}

/** Statements that looked at more rows than a bounded number for each of the document's. */
const beyond = (work: readonly Work[]): unknown[] =>
  work
    .filter(({ rows }) => rows > ROWS_EACH * PEOPLE)
    .map(({ rows, text, busiest }) => ({ rows, text: text.slice(0, 300), busiest }));

it.each(CASES)(
  'an import reads a bounded number of rows for each row of its document: $name',
  async ({ before, request, leftOut = () => 0 }) => {
    if (before) await importAll(before(PEOPLE), { isCounted: false });
    const { leftOut: refused, work } = await importAll(request(PEOPLE), { isCounted: true });
    expect(refused).toBe(leftOut(PEOPLE));
    expect(beyond(work)).toEqual([]);
  },
);

it('so does an export, even if the statistics were taken from other organizations', async () => {
  for (const orgId of ['earlier-1', 'earlier-2', 'earlier-3']) await importAll(peopleOf(orgId), { isCounted: false });
  await world.rows(analyze);
  await importAll(peopleOf('late'), { isCounted: false });
  const { people, work } = await exportAll(['late']);
  expect(people).toBe(PEOPLE);
  expect(beyond(work)).toEqual([]);
});

/** Everything of which an organization may have as much as it has people. */
function peopleOf(orgId: string): AsyncIterable<string> {
  const id = (n: number): string => `${orgId}-${n}`;
  return requestOf({}, [
    {
      about: {
        ...org(orgId),
        projects: [{ projectId: orgId, project: { name: 'Project' } }],
        projectRoles: [{ projectId: orgId, roleKey: 'reader' }],
        oidcIdps: [
          {
            idpId: orgId,
            idp: {
              name: 'Provider',
              clientId: 'bench',
              clientSecret: 'a secret of the test',
              issuer: 'https://sso.bench.test',
              scopes: ['openid'],
            },
          },
        ],
      },
      lists: [
        [
          'humanUsers',
          PEOPLE,
          (n) => person(n, { id: id(n), userName: `${id(n)}@${orgId}.test`, otpCode: SEED, otpEmail: true }),
        ],
        [
          'machineUsers',
          PEOPLE,
          (n) => ({ userId: `robot-${id(n)}`, user: { userName: `robot-${id(n)}`, name: 'Robot' } }),
        ],
        ['userMetadata', PEOPLE, (n) => ({ id: id(n), key: 'depot', value: 'QmVybGlu' })],
        ['userLinks', PEOPLE, (n) => ({ userId: id(n), idpId: orgId, providedUserId: id(n) })],
        ['userGrants', PEOPLE, (n) => ({ userId: id(n), projectId: orgId, roleKeys: ['reader'] })],
        ['orgMembers', PEOPLE, (n) => ({ userId: id(n), roles: ['ORG_OWNER_VIEWER'] })],
        ['projectMembers', PEOPLE, (n) => ({ projectId: orgId, userId: id(n), roles: ['PROJECT_OWNER_VIEWER'] })],
      ],
    },
  ]);
}
