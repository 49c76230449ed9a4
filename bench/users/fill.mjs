import { SYLLABLES } from '../seed/syllables.mjs';

/** The organization whose users are listed, with a domain. */
export async function makeOrg(client) {
  await client.query(`INSERT INTO org (id, name) VALUES ('bench', 'Bench')`);
  await client.query(
    `INSERT INTO org_domain (org_id, domain, is_verified, is_primary) VALUES ('bench', 'bench.test', true, true)`,
  );
}

const BATCH = 50_000;

/**
 * People with names of two and three syllables (so that a beginning of two letters is that of one in 25), one in a hundred
 * locked, one in a hundred a service user. @returns {Promise<number>} how many a second
 */
export async function fillTo(client, users) {
  const {
    rows: [{ count }],
  } = await client.query(`SELECT count(*)::int AS count FROM user_account WHERE org_id = 'bench'`);
  const started = performance.now();
  for (let from = count + 1; from <= users; from += BATCH) await fill(client, from, Math.min(users, from + BATCH - 1));
  const seconds = (performance.now() - started) / 1000;
  await client.query('VACUUM (ANALYZE) user_account');
  await client.query('CHECKPOINT');
  return (users - count) / seconds;
}

async function fill(client, from, to) {
  await client.query(
    `WITH named AS (
       SELECT n, initcap(s[1 + r[1]] || s[1 + r[2]]) AS first, initcap(s[1 + r[3]] || s[1 + r[4]] || s[1 + r[5]]) AS last
       FROM generate_series($1::bigint, $2::bigint) n, (SELECT $3::text[] AS s) AS syllables,
         LATERAL (SELECT array_agg(abs(hashint8extended(n, seed)) % 25) AS r FROM generate_series(1, 5) seed) AS random)
     INSERT INTO user_account (id, org_id, kind, state, user_name, user_name_key, first_name, last_name, nick_name, display_name, service_name,
       email, email_key, email_verified, creation_date, change_date)
     SELECT 'bench-' || n, 'bench', CASE WHEN n % 100 = 7 THEN 'service' ELSE 'human' END, CASE WHEN n % 100 = 3 THEN 'locked' ELSE 'active' END,
       lower(first) || '.' || n || '.', lower(first) || '.' || n || '.', first, last, CASE WHEN n % 5 = 0 THEN first ELSE '' END, first || ' ' || last,
       CASE WHEN n % 100 = 7 THEN first ELSE '' END, lower(first || '.' || last) || n || '@mail.test', lower(first || '.' || last) || n || '@mail.test', true,
       now() - n * interval '7 seconds', now() - n * interval '7 seconds'
     FROM named`,
    [from, to, SYLLABLES],
  );
}
