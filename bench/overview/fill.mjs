import { SYLLABLES } from '../seed/syllables.mjs';
import { HASHES } from '../sign-in/hashes.mjs';
import { FIRST, LAST, RARE } from './names.mjs';

export const BIG = 'big';
export const SMALL = 'small-7';
const SMALL_ORGS = 1_000;
/** One in ten belongs to one of the small organizations. */
const SHARE_OF_SMALL = 10;
const BATCH = 50_000;
/** How many there are when statistics are taken that shall be old. */
const BEFORE = 2_000;
const APPLICATIONS = 10_000;
const DAYS = 90;
export const PASSWORD = 'Overview-Bench-1';

/** Who can sign in. */
export const MANAGERS = [
  { name: 'chief', role: 'IAM_OWNER', level: 'instance', org: BIG },
  { name: 'big-owner', role: 'ORG_OWNER', level: 'org', org: BIG },
  { name: 'small-owner', role: 'ORG_OWNER', level: 'org', org: SMALL },
];
const FILLED = [
  ...['org', 'org_domain', 'user_account', 'member', 'project', 'client', 'idp', 'event', 'day_count', 'outbox'],
  ...['machine_key', 'personal_access_token', 'client_key', 'webhook', 'webhook_delivery'],
];

/** Fills a new database. */
export async function fill(client, { users, isStale }) {
  const { rows } = await client.query('SELECT id FROM instance');
  const instanceId = rows[0].id;
  await fillOrgs(client);
  await fillManagers(client, instanceId);
  if (isStale) {
    for (const table of FILLED) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    await fillUsers(client, 1, BEFORE);
    await fillEvents(client, 1, BEFORE, BEFORE);
    await client.query(`ANALYZE ${FILLED.join(', ')}`);
  }
  for (let from = isStale ? BEFORE + 1 : 1; from <= users; from += BATCH) {
    const to = Math.min(users, from + BATCH - 1);
    await fillUsers(client, from, to);
    await fillEvents(client, from, to, users);
  }
  await fillApplications(client, instanceId);
  await fillCounts(client);
  await fillCredentials(client);
  await fillWaiting(client, instanceId, users);
  if (!isStale) for (const table of FILLED) await client.query(`VACUUM (ANALYZE) ${table}`);
  await client.query('CHECKPOINT');
}

async function fillOrgs(client) {
  await client.query(
    `INSERT INTO org (id, name, creation_date)
     SELECT 'small-' || n, initcap(s[1 + n % 25] || s[1 + n / 25 % 25] || s[1 + n / 7 % 25]) || ' GmbH ' || n, now() - n * interval '1 hour'
     FROM generate_series(1, ${SMALL_ORGS}) n, (SELECT $1::text[] AS s) syllables
     UNION ALL SELECT '${BIG}', 'Big Company AG', now()`,
    [SYLLABLES],
  );
  await client.query(
    `INSERT INTO org_domain (org_id, domain, is_verified, is_primary)
     SELECT id, id || '.example.test', true, true FROM org WHERE id LIKE 'small-%' OR id = '${BIG}'`,
  );
}

async function fillManagers(client, instanceId) {
  const passwordHash = await HASHES.argon2id(PASSWORD);
  for (const { name, role, level, org } of MANAGERS) {
    await client.query(
      `INSERT INTO user_account (id, org_id, kind, user_name, user_name_key, first_name, last_name, display_name, email, email_key, email_verified, password_hash)
       VALUES ($1, $2, 'human', $1, $1, 'Manager', $1, 'Manager', $1 || '@mail.test', $1 || '@mail.test', true, $3)`,
      [name, org, passwordHash],
    );
    await client.query('INSERT INTO member (user_id, level, object_id, roles) VALUES ($1, $2, $3, $4)', [
      name,
      level,
      level === 'instance' ? instanceId : org,
      [role],
    ]);
  }
}

/** Half of the names are frequent, the more the earlier they stand in their list, and half are made of syllables. */
async function fillUsers(client, from, to) {
  await client.query(
    `WITH named AS (
       SELECT n,
         CASE
           WHEN n = 1000 THEN '${RARE.first}'
           WHEN r[1] % 2 = 0 THEN first[1 + floor(array_length(first, 1) * power(r[2] / 10000.0, 2))::int]
           ELSE initcap(s[1 + r[3] % 25] || s[1 + r[4] % 25]) END AS first,
         CASE
           WHEN n = 1000 THEN '${RARE.last}'
           WHEN r[5] % 2 = 0 THEN last[1 + floor(array_length(last, 1) * power(r[6] / 10000.0, 2))::int]
           ELSE initcap(s[1 + r[7] % 25] || s[1 + r[8] % 25] || s[1 + r[9] % 25]) END AS last,
         CASE WHEN n % ${SHARE_OF_SMALL} = 0 THEN 'small-' || 1 + (n / ${SHARE_OF_SMALL}) % ${SMALL_ORGS} ELSE '${BIG}' END AS org,
         n % 200 = 7 AS is_service
       FROM generate_series($1::bigint, $2::bigint) n,
         (SELECT $3::text[] AS first, $4::text[] AS last, $5::text[] AS s) AS lists,
         LATERAL (SELECT array_agg(abs(hashint8extended(n, seed)) % 10000 ORDER BY seed) AS r FROM generate_series(1, 9) seed) AS random)
     INSERT INTO user_account (id, org_id, kind, state, user_name, user_name_key, first_name, last_name, nick_name, display_name, service_name,
       email, email_key, email_verified, creation_date, change_date)
     SELECT 'u-' || n, org, CASE WHEN is_service THEN 'service' ELSE 'human' END,
       CASE WHEN n % 100 = 3 THEN 'locked' WHEN n % 100 = 5 THEN 'inactive' ELSE 'active' END,
       lower(first || '.' || last) || n, lower(first || '.' || last) || n,
       CASE WHEN is_service THEN '' ELSE first END, CASE WHEN is_service THEN '' ELSE last END,
       CASE WHEN n % 20 = 0 THEN left(first, 3) || 'i' ELSE '' END, CASE WHEN is_service THEN '' ELSE first || ' ' || last END,
       CASE WHEN is_service THEN 'Backup of ' || last ELSE '' END,
       CASE WHEN is_service THEN '' ELSE lower(first || '.' || last) || n || '@mail.test' END,
       CASE WHEN is_service THEN '' ELSE lower(first || '.' || last) || n || '@mail.test' END,
       true, now() - n * interval '7 seconds', now() - n * interval '7 seconds'
     FROM named`,
    [from, to, FIRST, LAST, SYLLABLES],
  );
}

/** Some two million of a million users: mostly sign-ins, and refused ones, of which one in a thousand has a hundred. */
async function fillEvents(client, from, to, users) {
  await client.query(
    `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, payload, editor_id, org_id, created_at, tx)
     SELECT e.aggregate_type, e.aggregate_id, 1, e.type, e.payload, u.id, u.org_id, now() - (${users} - n) * interval '7 seconds', 0
     FROM generate_series($1::bigint, $2::bigint) n
     JOIN user_account u ON u.id = 'u-' || n
     CROSS JOIN LATERAL (
       SELECT 'user' AS aggregate_type, u.id AS aggregate_id, 'user.human.added' AS type, '{}'::jsonb AS payload
       WHERE n % 5 = 0
       UNION ALL
       SELECT 'session', 's-' || n || '-' || k, 'session.added', jsonb_build_object('userId', u.id)
       FROM generate_series(1, CASE WHEN n % 2 = 0 THEN 1 ELSE 2 END) k
       UNION ALL
       SELECT 'sign_in', 'r-' || n || '-' || k, 'sign_in.password.check.failed', jsonb_build_object('userId', u.id, 'address', '192.0.2.' || k)
       FROM generate_series(1, CASE WHEN n % 1000 = 13 OR n % 20000 = 60 THEN 100 WHEN n % 10 = 3 THEN 2 ELSE 0 END) k) e`,
    [from, to],
  );
}

async function fillApplications(client, instanceId) {
  await client.query(
    `INSERT INTO project (id, org_id, name)
     SELECT 'project-' || n, CASE WHEN n % 2 = 0 THEN '${BIG}' ELSE 'small-' || 1 + n % ${SMALL_ORGS} END, 'Project ' || n
     FROM generate_series(1, 1000) n`,
  );
  await client.query(
    `INSERT INTO client (id, client_id, project_id, kind, auth_method, name, jwks)
     SELECT 'app-' || n, 'client-' || n, 'project-' || 1 + n % 1000, 'oidc',
       CASE WHEN n % 100 = 0 THEN 'self_signed_tls_client_auth' ELSE 'none' END,
       CASE WHEN n = 777 THEN 'Quartermaster' ELSE initcap(s[1 + n % 25] || s[1 + n / 25 % 25]) || ' Portal ' || n END,
       CASE WHEN n % 100 = 0 THEN '{"keys":[]}'::jsonb END
     FROM generate_series(1, ${APPLICATIONS}) n, (SELECT $1::text[] AS s) syllables`,
    [SYLLABLES],
  );
  await client.query(
    `INSERT INTO idp (id, owner_id, name, type, issuer)
     SELECT 'idp-' || o.id || '-' || n, o.id, 'Provider ' || n, 'oidc', 'https://idp.test'
     FROM (VALUES ($1), ('${BIG}'), ('${SMALL}')) AS o(id), generate_series(1, 20) n`,
    [instanceId],
  );
}

async function fillCounts(client) {
  const add = (what, ofId, details, from) =>
    client.query(
      `INSERT INTO day_count (what, of_id, detail, day, count)
       SELECT $1, ${ofId}, detail, current_date - d, 7 FROM ${from}, unnest($2::text[]) detail, generate_series(0, ${DAYS - 1}) d`,
      [what, details],
    );
  const orgs = `(SELECT id FROM org UNION ALL SELECT '*') o`;
  await add('sign_in', 'o.id', ['password', 'passkey'], orgs);
  await add('refused_sign_in', 'o.id', ['password', 'mfa'], orgs);
  await add('token', 'c.client_id', ['authorization_code'], '(SELECT client_id FROM client) c');
  await add('provider', 'i.id', ['answered', 'failed'], 'idp i');
}

/** Ten thousand of each that end in the course of three years. */
async function fillCredentials(client) {
  const at = `now() - interval '1 year' + n * interval '157 minutes'`;
  await client.query(
    `INSERT INTO machine_key (id, user_id, public_key, expires_at) SELECT 'key-' || n, 'u-' || 7 + 200 * (n % 10), '{}', ${at} FROM generate_series(1, 10000) n`,
  );
  await client.query(
    `INSERT INTO personal_access_token (id, user_id, token_hash, scopes, expires_at)
     SELECT 'pat-' || n, 'u-' || 7 + 200 * (n % 10), sha256(('pat-' || n)::bytea), '{}', ${at} FROM generate_series(1, 10000) n`,
  );
  await client.query(
    `INSERT INTO client_key (id, client_row_id, public_key, expires_at) SELECT 'ckey-' || n, 'app-' || n, '{}', ${at} FROM generate_series(1, ${APPLICATIONS}) n`,
  );
}

/** Nothing of it is due, so that the service does not work on it meanwhile. */
async function fillWaiting(client, instanceId, users) {
  await client.query(
    `INSERT INTO outbox (id, user_id, org_id, kind, recipient, recipient_key, state, reason, created_at, due_at)
     SELECT 'mail-' || n, 'u-' || 1 + n % $1, '${BIG}', 'init', 'a@mail.test', 'a@mail.test',
       CASE WHEN n % 10 = 0 THEN 'dead' WHEN n % 10 = 1 THEN 'waiting' ELSE 'sent' END, CASE WHEN n % 10 = 0 THEN 'refused' ELSE '' END,
       now() - n * interval '1 minute', now() + interval '10 days'
     FROM generate_series(1, 100000) n`,
    [users],
  );
  await client.query(
    `INSERT INTO webhook (id, level, owner_id, url, types, secret, since, failing_since)
     SELECT 'hook-' || o.id || '-' || n, o.level, o.id, 'https://hook.test/' || n, '{org.added}', '', now(), CASE WHEN n % 3 = 0 THEN now() END
     FROM (VALUES ($1, 'instance'), ('${BIG}', 'org'), ('${SMALL}', 'org')) AS o(id, level), generate_series(1, 20) n`,
    [instanceId],
  );
  await client.query(
    `INSERT INTO webhook_delivery (webhook_id, position, state, created_at, due_at, settled_at)
     SELECT w.id, n, CASE WHEN n % 3 = 0 THEN 'dead' ELSE 'waiting' END, now() - n * interval '1 minute', now() + interval '10 days',
       CASE WHEN n % 3 = 0 THEN now() END
     FROM webhook w, generate_series(1, 5000) n`,
  );
}

/** Some people of an organization, or of all. */
export async function knownTo(client, org) {
  const { rows } = await client.query(
    `SELECT u.id, u.user_name AS "userName", u.email, d.domain,
       EXISTS (SELECT 1 FROM event e WHERE e.aggregate_type = 'sign_in' AND e.payload ->> 'userId' = u.id) AS "hasFailures"
     FROM user_account u JOIN org_domain d ON d.org_id = u.org_id AND d.is_primary
     WHERE u.kind = 'human' AND u.email <> '' AND u.id LIKE 'u-%' AND ($1::text IS NULL OR u.org_id = $1)
     ORDER BY md5(u.id) LIMIT 200`,
    [org],
  );
  return rows;
}
