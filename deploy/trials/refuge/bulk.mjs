import pg from 'pg';

const { escapeLiteral } = pg;
/** Keys of the views. */
const KEYS = [
  ['orgs1', 'instance_id, id'],
  ['org_domains2', 'instance_id, org_id, domain'],
  ['org_members4', 'instance_id, org_id, user_id'],
  ['projects4', 'instance_id, id'],
  ['project_roles4', 'instance_id, project_id, role_key'],
  ['project_grants4', 'instance_id, grant_id'],
  ['apps7', 'instance_id, id'],
  ['apps7_oidc_configs', 'instance_id, app_id'],
  ['users14', 'instance_id, id'],
  ['users14_humans', 'instance_id, user_id'],
  ['users14_machines', 'instance_id, user_id'],
  ['user_metadata5', 'instance_id, user_id, key'],
  ['user_grants5', 'instance_id, id'],
  ['authn_keys2', 'instance_id, id'],
  ['idp_user_links3', 'instance_id, idp_id, user_id'],
];
/** With an index of their organization. */
const OWNED = ['users14', 'user_metadata5', 'user_grants5', 'idp_user_links3'];

const orgId = (k) => `(851000000000000000 + ${k})::text`;
const projectId = (k) => `(852000000000000000 + ${k})::text`;
const personId = (n) => `(860000000000000000 + ${n})::text`;
const VERIFIED = `jsonb_build_object('webAuthNTokenId', '1', 'keyId', encode(sha256(n::text::bytea), 'base64'), 'signCount', 0, 'webAuthNTokenName', 'Phone'`;

/** Statements for many organizations and people. Each organization has a project, an application and a service user. */
export function bulk({ instance, people, orgs, hashes, secret, webSecret, publicKey, seed, coseKey }) {
  const into = (table, columns, values, from) =>
    `INSERT INTO ${table} (instance_id, ${columns}) SELECT ${escapeLiteral(instance)}, ${values} FROM ${from}`;
  const eachOrg = `generate_series(1, ${orgs}) AS k`;
  const others = `generate_series(2, ${orgs}) AS k`;
  const persons = (every) =>
    `(SELECT n, 1 + n % ${orgs} AS k FROM generate_series(1, ${people}) AS n WHERE n % ${every} = 0) AS person`;
  const event = (type, number, payload, every) =>
    into(
      'eventstore.events2',
      'aggregate_type, aggregate_id, event_type, sequence, revision, created_at, payload, creator, owner, position, in_tx_order',
      `'user', ${personId('n')}, 'user.human.${type}', ${number}, 1, timestamptz '2024-01-01' + n * interval '1 second',
         ${payload}, ${personId('n')}, ${orgId('k')}, n, 0`,
      persons(every),
    );
  const array = `ARRAY[${hashes.map(escapeLiteral).join(', ')}]`;
  return [
    into(
      'projections.orgs1',
      'id, name, org_state, primary_domain',
      `${orgId('k')}, 'Organization ' || k, 1, ''`,
      eachOrg,
    ),
    into(
      'projections.org_domains2',
      'org_id, domain, is_verified, is_primary',
      `${orgId('k')}, 'org-' || k || '.example', true, true`,
      eachOrg,
    ),
    into('projections.org_metadata2', 'org_id, key, value', `${orgId('k')}, 'customer', '\\x0001ff'::bytea`, eachOrg),
    into(
      'projections.projects4',
      'id, name, resource_owner, state, project_role_assertion',
      `${projectId('k')}, 'Project ' || k, ${orgId('k')}, 1, true`,
      eachOrg,
    ),
    into(
      'projections.project_roles4',
      'project_id, resource_owner, role_key, display_name, group_name',
      `${projectId('k')}, ${orgId('k')}, role, upper(role), 'tours'`,
      `${eachOrg}, unnest(ARRAY['dispatcher', 'driver']) AS role`,
    ),
    into(
      'projections.project_grants4',
      'grant_id, resource_owner, state, project_id, granted_org_id, granted_role_keys',
      `(858000000000000000 + k)::text, ${orgId(1)}, 1, ${projectId(1)}, ${orgId('k')}, ARRAY['driver']`,
      others,
    ),
    into(
      'projections.apps7',
      'id, name, project_id, resource_owner, state',
      `(853000000000000000 + k)::text, 'Web', ${projectId('k')}, ${orgId('k')}, 1`,
      others,
    ),
    into(
      'projections.apps7_oidc_configs',
      'app_id, client_id, client_secret, response_types, grant_types, redirect_uris',
      `(853000000000000000 + k)::text, (853500000000000000 + k)::text, ${escapeLiteral(webSecret)}, '{0}', '{0,2}',
         ARRAY['https://org-' || k || '.example/callback']`,
      others,
    ),
    into(
      'projections.users14',
      'id, resource_owner, state, username, type',
      `(855000000000000000 + k)::text, ${orgId('k')}, 1, 'service-' || k, 2`,
      eachOrg,
    ),
    into(
      'projections.users14_machines',
      'user_id, name, secret',
      `(855000000000000000 + k)::text, 'Service ' || k, ${escapeLiteral(secret)}`,
      eachOrg,
    ),
    into(
      'projections.authn_keys2',
      'id, aggregate_id, object_id, identifier, expiration, type, public_key',
      `(856000000000000000 + k)::text, id, id, id, '2040-01-01', 1, convert_to(${escapeLiteral(publicKey)}, 'UTF8')`,
      `${others}, LATERAL (SELECT (855000000000000000 + k)::text AS id) AS service`,
    ),
    into(
      'projections.org_members4',
      'org_id, user_id, roles',
      `${orgId('k')}, ${personId('k')}, '{ORG_OWNER_VIEWER}'`,
      eachOrg,
    ),
    into(
      'projections.users14',
      'id, resource_owner, state, username, type',
      `${personId('n')}, ${orgId('k')}, 1, 'person-' || n, 1`,
      persons(1),
    ),
    into(
      'projections.users14_humans',
      'user_id, first_name, last_name, display_name, preferred_language, gender, email, is_email_verified, phone',
      `${personId('n')}, 'First' || n, 'Last', 'First' || n || ' Last', 'de', 1, 'person-' || n || '@org-' || k || '.example', true,
         '+4930' || lpad(n::text, 8, '0')`,
      persons(1),
    ),
    event(
      'added',
      1,
      `jsonb_build_object('userName', 'person-' || n, 'encodedHash', (${array})[1 + n % ${hashes.length}])`,
      1,
    ),
    event('mfa.otp.added', 2, `jsonb_build_object('otpSecret', ${escapeLiteral(seed)}::jsonb)`, 20),
    event('mfa.otp.verified', 3, 'NULL', 20),
    event('mfa.recoverycode.added', 4, `jsonb_build_object('codes', ARRAY[${escapeLiteral(secret)}])`, 100),
    event('passwordless.token.added', 5, `'{"webAuthNTokenId": "1", "rpID": "localhost"}'::jsonb`, 20),
    event('passwordless.token.verified', 6, `${VERIFIED}, 'publicKey', ${escapeLiteral(coseKey)})`, 20),
    into(
      'projections.user_metadata5',
      'user_id, resource_owner, key, value',
      `${personId('n')}, ${orgId('k')}, 'depot', convert_to('Chur ' || n, 'UTF8')`,
      persons(10),
    ),
    into(
      'projections.user_grants5',
      'id, state, resource_owner, user_id, resource_owner_user, project_id, resource_owner_project, grant_id, granted_org, roles',
      `(870000000000000000 + n)::text, 1, ${orgId('k')}, ${personId('n')}, ${orgId('k')}, ${projectId('k')}, ${orgId('k')}, '', '', '{driver}'`,
      persons(2),
    ),
    into(
      'projections.user_grants5',
      'id, state, resource_owner, user_id, resource_owner_user, project_id, resource_owner_project, grant_id, granted_org, roles',
      `(880000000000000000 + n)::text, 1, ${orgId('k')}, ${personId('n')}, ${orgId('k')}, ${projectId(1)}, ${orgId(1)},
         (858000000000000000 + k)::text, ${orgId('k')}, '{driver}'`,
      `${persons(10)} WHERE k > 1`,
    ),
    ...KEYS.map(([table, columns]) => `ALTER TABLE projections.${table} ADD PRIMARY KEY (${columns})`),
    ...OWNED.map((table) => `CREATE INDEX ON projections.${table} (resource_owner)`),
    ...['user_grants5', 'idp_user_links3'].map((table) => `CREATE INDEX ON projections.${table} (user_id)`),
  ];
}
