import { describe, expect, it } from '@jest/globals';
import { declaredStatements, type Queryable, statement, undeclared, unprepared } from './statement.js';

let count = 0;
/** Names are declared once in a process. */
const unique = (): string => `test.statement_${(count += 1)}`;
const textOf = (sql: string): string => statement<object>(unique(), sql).text;

/** Notes what would be sent. */
const sent: unknown[] = [];
const queryable = { query: async (): Promise<never[]> => [] } as unknown as Queryable;

describe('A statement', () => {
  it.each([
    ['a parameter', 'SELECT 1 WHERE id = :userId', 'SELECT 1 WHERE id = $1'],
    ['a name that stands twice', 'SELECT :a, :b, :a', 'SELECT $1, $2, $1'],
    ['names that begin alike', 'SELECT :id, :idp, :id2', 'SELECT $1, $2, $3'],
    ['a cast', 'SELECT :at::timestamptz, x::int', 'SELECT $1::timestamptz, x::int'],
    ['a list', 'SELECT ARRAY[:a,:b]', 'SELECT ARRAY[$1,$2]'],
    ['a string', "SELECT 'a :b', 'it''s :c', :d", "SELECT 'a :b', 'it''s :c', $1"],
    ['a string with escapes', "SELECT E'it\\'s :c', :d", "SELECT E'it\\'s :c', $1"],
    ['a quoted name', 'SELECT q."a:b", :d', 'SELECT q."a:b", $1'],
    ['a comment to the end of the line', 'SELECT 1 -- of :a\n + :b', 'SELECT 1 -- of :a\n + $1'],
    ['a comment', 'SELECT 1 /* of :a */ + :b', 'SELECT 1 /* of :a */ + $1'],
    ['a body in dollars', "DO $$ BEGIN x := ':a'; y := :b; END $$", "DO $$ BEGIN x := ':a'; y := :b; END $$"],
    ['an assignment', 'CALL f(a := :a)', 'CALL f(a := $1)'],
  ])('numbers the names, and leaves everything else as it is: %s', (_, sql, text) => {
    expect(textOf(sql)).toBe(text);
  });

  it.each([
    ['a name that begins with a capital', 'SELECT :UserId', /malformed parameter: :UserId/],
    ['a name with underscores', 'SELECT :user_id', /malformed parameter: :user_id/],
    ['a number', 'SELECT :1', /malformed parameter: :1/],
    ['no name', 'SELECT : ', /malformed parameter: :/],
    ['a string that is not closed', "SELECT 'a :b", /does not close '/],
    ['a quoted name that is not closed', 'SELECT "a :b', /does not close "/],
    ['a comment that is not closed', 'SELECT 1 /* :b', /does not close \/\*/],
    ['a positional parameter', 'SELECT $1', /positional parameter: \$1/],
  ])('refuses at its declaration, by its name, %s', (_, sql, message) => {
    const name = unique();
    expect(() => statement<object>(name, sql)).toThrow(message);
    expect(() => statement<object>(name, sql)).toThrow(name);
    expect(declaredStatements().map((each) => each.name)).not.toContain(name);
  });

  it('refuses the name of another one', () => {
    const name = unique();
    statement(name, 'SELECT :a');
    statement(name, 'SELECT :a');
    expect(() => statement(name, 'SELECT :b + 1')).toThrow(`Two statements share the name ${name}.`);
  });

  it('binds values by name, in the order of their numbers', () => {
    const declared = statement(unique(), 'SELECT :last, :first, :last');
    expect(declared.bind({ first: 1, last: null })).toEqual([null, 1]);
  });

  it.each([
    ['a missing value', { a: 1 }, /has no value for b\.$/],
    ['an undefined value', { a: 1, b: undefined }, /has no value for b\.$/],
    ['a value that it does not have', { a: 1, b: 2, c: 3 }, /has no parameter c\.$/],
    ['another name', { a: 1, bb: 2 }, /has no value for b and has no parameter bb\.$/],
  ])('refuses by its name %s', (_, values, message) => {
    const name = unique();
    const declared = statement<object>(name, 'SELECT :a, :b');
    expect(() => declared.bind(values)).toThrow(message);
    expect(() => declared.bind(values)).toThrow(name);
  });

  it('is not declared if it is composed at run time', () => {
    const { name, text } = unprepared<{ a: number }>('SELECT :a');
    expect({ name, text }).toEqual({ name: '', text: 'SELECT $1' });
    expect(declaredStatements().map((each) => each.name)).not.toContain('');
  });

  it('keeps the plan of SQL from outside the product, and does not declare it', () => {
    const name = unique();
    expect(undeclared<{ a: number }>(name, 'SELECT :a')).toMatchObject({ name, text: 'SELECT $1' });
    expect(declaredStatements().map((each) => each.name)).not.toContain(name);
  });

  it('tells the compiler what its parameters and rows are', async () => {
    const part = 'x = 1' as string;
    const literal = statement(unique(), 'SELECT a::text FROM t WHERE a = :a AND b = :b::int').rows<{ a: string }>();
    const composed = statement(unique(), `SELECT a FROM t WHERE ${part} AND a = :a`);
    const said = statement<{ readonly a: string }>(unique(), part);
    const none = statement(unique(), 'SELECT 1::int');

    const [row] = await queryable.query(literal, { a: 1, b: null });
    sent.push(row?.a);
    // @ts-expect-error: the row has no such column
    sent.push(row?.b);
    // @ts-expect-error: b is missing
    await queryable.query(literal, { a: 1 });
    // @ts-expect-error: c is surplus
    await queryable.query(literal, { a: 1, b: 2, c: 3 });
    // @ts-expect-error: undefined is not null
    await queryable.query(literal, { a: 1, b: undefined });
    // @ts-expect-error: the values are missing
    await queryable.query(literal);
    await queryable.query(composed, { a: 1, inThePart: 2 });
    // @ts-expect-error: a is missing
    await queryable.query(composed, { inThePart: 2 });
    await queryable.query(said, { a: '1' });
    // @ts-expect-error: a is a string
    await queryable.query(said, { a: 1 });
    await queryable.query(none);
    expect(sent).toEqual([undefined, undefined]);
  });
});
