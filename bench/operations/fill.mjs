/**
 * An organization of so many people, named by addresses at its own domain or by plain names, each with a grant on its project, one in
 * two with metadata, one in five with a link, one in ten with a session; and another one of half as many, to which the project is granted.
 * @param {import('pg').Client} client
 * @param {number} people
 */
export async function fill(client, people) {
  await client.query(`
    INSERT INTO org (id, name) VALUES ('crowd', 'Crowd'), ('guests', 'Guests');
    INSERT INTO org_domain (org_id, domain, is_verified, is_primary) VALUES
      ('crowd', 'crowd.test', true, true), ('crowd', 'second.crowd.test', true, false), ('guests', 'guests.test', true, true);
    INSERT INTO project (id, org_id, name) VALUES ('crowd-project', 'crowd', 'Crowd'), ('crowd-other', 'crowd', 'Other');
    INSERT INTO project_role (project_id, key, display_name) VALUES ('crowd-project', 'reader', 'Reader'), ('crowd-project', 'writer', 'Writer');
    INSERT INTO project_grant (id, project_id, granted_org_id, role_keys) VALUES ('crowd-grant', 'crowd-project', 'guests', '{reader,writer}');
    INSERT INTO idp (id, owner_id, name, type, issuer) VALUES ('crowd-idp', 'crowd', 'Crowd', 'oidc', 'https://idp.crowd.test')`);
  await addPeople(client, 'crowd', people, (n) => `'p' || ${n} || '@crowd.test'`);
  await addPeople(client, 'guests', people / 2, (n) => `'guest' || ${n}`);
  await client.query(
    `INSERT INTO user_grant (id, user_id, project_id, org_id, role_keys) SELECT 'g-' || id, id, 'crowd-project', 'crowd', '{reader,writer}' FROM user_account WHERE org_id = 'crowd'`,
  );
  await client.query(
    `INSERT INTO user_grant (id, user_id, project_id, org_id, role_keys, project_grant_id)
     SELECT 'g-' || id, id, 'crowd-project', 'guests', '{reader,writer}', 'crowd-grant' FROM user_account WHERE org_id = 'guests'`,
  );
  await client.query(
    `INSERT INTO user_metadata (user_id, key, value) SELECT 'crowd-' || n, 'number', '\\x31' FROM generate_series(1, $1::int) n WHERE n % 2 = 0`,
    [people],
  );
  await client.query(
    `INSERT INTO idp_link (idp_id, external_user_id, user_id) SELECT 'crowd-idp', n::text, 'crowd-' || n FROM generate_series(1, $1::int) n WHERE n % 5 = 0`,
    [people],
  );
  await client.query(
    `INSERT INTO session (id, browser_id, user_id, created_at, password_checked_at)
     SELECT 'crowd-' || n, 'crowd-' || n, 'crowd-' || n, now(), now() FROM generate_series(1, $1::int) n WHERE n % 10 = 0`,
    [people],
  );
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/** People whose names are reserved as `scope` says: in the instance, or within their organization as where its policy always said so. */
export async function addPeople(client, orgId, people, name, { scope = '', from = 1 } = {}) {
  await client.query(
    `INSERT INTO user_account (id, org_id, kind, state, user_name, user_name_key, name_scope, first_name, last_name, display_name, email, email_key, email_verified)
     SELECT $1 || '-' || n, $1, 'human', 'active', ${name('n')}, ${name('n')}, $2, 'Person', 'Number ' || n, 'Person Number ' || n,
       $1 || n || '@mail.test', $1 || n || '@mail.test', true FROM generate_series($3::int, $4::int) n`,
    [orgId, scope, from, people],
  );
}
