import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const DOMAIN = (column: string): string => `substring(${column} FROM '@([^@]*)$')`;
const LOCAL = (column: string): string => `substring(${column} FROM '^(.*@)')`;

const FIND = `
  SELECT DISTINCT domain FROM (
    SELECT ${DOMAIN('email')} AS domain FROM user_account
    UNION ALL
    SELECT ${DOMAIN('user_name_key')} FROM user_account
    UNION ALL
    SELECT ${DOMAIN('email')} FROM registration) AS found
  WHERE domain COLLATE "C" ~ '[^a-z0-9._-]'`;

const SPELLINGS = 'unnest($1::text[], $2::text[]) AS d(was, becomes)';

const CHANGES = [
  `UPDATE user_account u SET email = ${LOCAL('u.email')} || d.becomes, email_key = ${LOCAL('u.email_key')} || d.becomes
   FROM ${SPELLINGS}
   WHERE ${DOMAIN('u.email')} = d.was`,
  `UPDATE registration r SET email = ${LOCAL('r.email')} || d.becomes
   FROM ${SPELLINGS}
   WHERE ${DOMAIN('r.email')} = d.was`,
  // If several accounts would have the same name, the oldest keeps it; the others keep a key that nothing finds until
  // they are renamed.
  `WITH named AS (
     SELECT u.id, u.name_scope, ${LOCAL('u.user_name_key')} || d.becomes AS key,
       row_number() OVER (PARTITION BY u.name_scope, ${LOCAL('u.user_name_key')} || d.becomes ORDER BY u.creation_date, u.id) AS place
     FROM user_account u JOIN ${SPELLINGS} ON ${DOMAIN('u.user_name_key')} = d.was)
   UPDATE user_account u SET user_name_key = n.key FROM named n
   WHERE u.id = n.id AND n.place = 1
     AND NOT EXISTS (SELECT 1 FROM user_account o WHERE o.name_scope = n.name_scope AND o.user_name_key = n.key)`,
];

/**
 * Converts the domains of e-mail addresses, and of user names that are addresses, to the form in which they are stored
 * from now on: in ASCII and in lower case (UTS 46). Otherwise typed values would not match the stored ones. Invalid
 * domains are not changed.
 */
export class AsciiDomain1795219200023 implements MigrationInterface {
  readonly name = 'AsciiDomain1795219200023';

  async up(runner: QueryRunner): Promise<void> {
    const found = (await runner.query(FIND)) as ReadonlyArray<{ domain: string }>;
    const spellings = found
      .map(({ domain }) => [domain, toAscii(domain)] as const)
      .filter(([was, becomes]) => becomes !== '' && becomes !== was);
    if (spellings.length === 0) return;
    const [were, become] = [spellings.map(([was]) => was), spellings.map(([, becomes]) => becomes)];
    for (const change of CHANGES) await runner.query(change, [were, become]);
  }

  /** The original spelling is lost, and both spellings are the same mailbox. */
  async down(): Promise<void> {}
}

/** Empty if it is not a domain. An escape, a slash or a number would mean something else to the URL parser. */
function toAscii(domain: string): string {
  const ascii = /[^A-Za-z0-9._\u0080-\u{10ffff}-]/u.test(domain) ? '' : domainToASCII(domain).toLowerCase();
  return isIP(ascii) === 0 ? ascii : '';
}
