import { describe, expect, it } from '@jest/globals';
import type { MovedTable } from '../../src/foundation/database/schema-change/moved-table.js';
import { startWorld } from '../support/world.js';
import { BADGE, desksWith, MOVES } from './moving-desks.js';

const office: MovedTable = MOVES[0]!;
const chip: MovedTable = MOVES[2]!;
const badgeWith = (columns: object, more: Partial<MovedTable> = {}): MovedTable => ({
  ...BADGE,
  ...more,
  columns: { ...BADGE.columns, ...columns },
});
const badgeWithout = (column: string): MovedTable => ({
  ...BADGE,
  columns: Object.fromEntries(Object.entries(BADGE.columns).filter(([name]) => name !== column)),
});

/** What the start says. */
async function refusal(moves: readonly MovedTable[], tables?: string): Promise<string> {
  try {
    const world = await startWorld({ extensions: [desksWith(moves, tables)] });
    await world.close();
    return 'started';
  } catch (error) {
    return (error as Error).message;
  }
}

const TABLE = 'CREATE TABLE seat (id text PRIMARY KEY, user_id text';
const SEAT: MovedTable = { table: 'seat', belongsTo: 'user_id', columns: { id: 'text', user_id: 'user' } };
const USER = 'REFERENCES user_account (id) ON DELETE CASCADE';

describe('A start is refused with a remedy if what an extension says in moves is wrong', () => {
  it.each<[string, readonly MovedTable[], RegExp]>([
    ['a name with SQL in it', [badgeWith({ 'id" ; DROP TABLE org': 'text' })], /cannot be a name\. Choose lower-case/],
    ['a table twice', [BADGE, BADGE], /badge several times\. Keep one/],
    ['a table below what refers to it', [chip, BADGE], /refers to "badge"\. Put that table above it/],
    ['a form that there is not', [badgeWith({ level: 'decimal' })], /holds "decimal"\. Choose one of text, integer/],
    ['an owner that is no reference', [{ ...BADGE, belongsTo: 'number' }], /belongs to "number"\. Name the column/],
    ['a column that both moves and stays', [badgeWith({ seen: 'integer' })], /seen both moves and stays/],
    ['a table that is not there', [{ ...office, table: 'room' }], /ext_desks has no table room/],
    ['a column that is not there', [badgeWith({ colour: 'text' })], /badge has no column colour/],
    ['another type', [badgeWith({ level: 'text' })], /level is smallint, and moves says text\. Say integer/],
    ['nothing about a column', [badgeWithout('said')], /has the column said, of which moves says nothing/],
    ['that the key stays', [badgeWithout('id')], /has the column id, of which/],
    [
      'that what must be there stays',
      [{ ...badgeWithout('number'), stays: ['seen', 'number'] }],
      /number stays, and a row/,
    ],
    ['that the primary key stays', [{ ...badgeWithout('id'), stays: ['seen', 'id'] }], /id is part of the primary key/],
    ['text for a foreign key', [badgeWith({ user_id: 'text' }, { belongsTo: 'id' })], /belongs to "id"/],
    [
      'another target of a foreign key',
      [badgeWith({ user_id: 'group' })],
      /no foreign key to user_group \(id\)\. Add one/,
    ],
    [
      'a secret beside a key of two columns',
      [{ ...MOVES[4]!, columns: { user_id: 'user', other_id: 'secret' } }],
      /other_id is a secret.*other_id has a foreign key to user_account.*Say user/,
    ],
  ])('says %s', async (_, moves, says) => {
    expect(await refusal(moves)).toMatch(says);
  });

  it.each<[string, string, MovedTable, RegExp]>([
    ['may be NULL', `${TABLE} ${USER}); CREATE INDEX ON seat (user_id)`, SEAT, /user_id may be NULL/],
    [
      'is made by the database',
      `CREATE TABLE seat (id bigserial PRIMARY KEY, user_id text NOT NULL ${USER}); CREATE INDEX ON seat (user_id)`,
      { ...SEAT, columns: { id: 'integer', user_id: 'user' } },
      /seat\.id gets its value from the database/,
    ],
    [
      'refers to a row of its own without an index',
      `${TABLE} NOT NULL ${USER}); CREATE INDEX ON seat (user_id);
       CREATE TABLE leg (id text PRIMARY KEY, seat_id text NOT NULL REFERENCES seat (id))`,
      { table: 'leg', belongsTo: 'seat_id', columns: { id: 'text', seat_id: { table: 'seat' } } },
      /leg\.seat_id lacks an index/,
    ],
    [
      'has a type that cannot move',
      `${TABLE} NOT NULL ${USER}, price numeric); CREATE INDEX ON seat (user_id)`,
      { ...SEAT, columns: { ...SEAT.columns, price: 'text' } },
      /price is numeric, and moves says text\. Columns that move are text/,
    ],
    [
      'is in no key',
      `CREATE TABLE seat (id text, user_id text NOT NULL ${USER}); CREATE INDEX ON seat (user_id)`,
      SEAT,
      /no primary key/,
    ],
  ])('of a column that %s', async (_, tables, moved, says) => {
    expect(await refusal(moved.table === 'seat' ? [moved] : [SEAT, moved], tables)).toMatch(says);
  });

  it('and not if it is right', async () => {
    expect(await refusal(MOVES)).toBe('started');
  });
});
