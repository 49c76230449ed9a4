import { expect, it } from '@jest/globals';
import { summaryOf } from './statement-span.js';

it.each([
  ['SELECT "w"."id" FROM "webhook" "w" WHERE "w"."id" = $1', 'SELECT webhook'],
  ['insert into project(id) values ($1)', 'INSERT project'],
  ['UPDATE "user_account" SET state = $1', 'UPDATE user_account'],
  ['START TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START'],
  ['COMMIT', 'COMMIT'],
  ["SELECT 'sent from alice' AS note", 'SELECT'],
  ['', 'SQL'],
])('SQL without a name is known by its first word and table, never by a value: %s [OPS-055]', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
