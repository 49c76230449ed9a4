/** Of the first of each, every text ends with this. */
export const FEW = 10;
export const RARE = 'seldom';

/** A text that all of them have, with what only the first have. */
const text = (word) => `'${word}-' || n || CASE WHEN n <= ${FEW} THEN '-${RARE}' ELSE '' END`;

const EVERY_TABLE = [
  'org',
  'org_domain',
  'user_account',
  'user_metadata',
  'project',
  'project_role',
  'client',
  'project_grant',
  'user_grant',
  'member',
  'idp',
  'event',
  'outbox',
  'logout_notice',
  'webhook_delivery',
];

/** What the rows of every list belong to. */
export async function makeOwners(client) {
  await client.query(`INSERT INTO org (id, name) VALUES ('bench', 'Bench'), ('beside', 'Beside')`);
  await client.query(
    `INSERT INTO project (id, name, org_id) VALUES ('bench-project', 'Bench', 'bench'), ('beside-project', 'Beside', 'beside')`,
  );
  await client.query(
    `INSERT INTO user_account (id, org_id, kind, user_name, user_name_key) VALUES ('bench-user', 'bench', 'human', 'bench', 'bench')`,
  );
  await client.query(
    `INSERT INTO webhook (id, level, owner_id, url, types, secret, since, state)
     VALUES ('bench-webhook', 'org', 'bench', 'https://bench.test', '{org.added}', '', now(), 'inactive')`,
  );
}

/** As many rows in every list; states are mostly one, and types of events are those of a busy service. */
export async function fillTo(client, instanceId, from, to) {
  const add = (table, columns) =>
    client.query(
      `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
       SELECT ${Object.values(columns).join(', ')} FROM generate_series(${from + 1}, ${to}) AS n ON CONFLICT DO NOTHING`,
    );
  const few = (rare, usual) => `CASE WHEN n <= ${FEW} THEN '${rare}' ELSE '${usual}' END`;
  await add('org', {
    id: `'org-' || n`,
    name: text('company'),
    state: few('inactive', 'active'),
    creation_date: 'now()',
  });
  await add('org_domain', {
    org_id: `'org-' || n`,
    domain: `${text('place')} || '.test'`,
    is_verified: 'true',
    is_primary: 'true',
  });
  await add('org_domain', { org_id: `'bench'`, domain: `${text('field')} || '.test'` });
  await add('user_account', {
    id: `'user-' || n`,
    org_id: `'bench'`,
    kind: few('service', 'human'),
    state: few('locked', 'active'),
    user_name: text('named'),
    user_name_key: text('named'),
    first_name: text('first'),
    last_name: text('last'),
    nick_name: `CASE WHEN n <= ${FEW} THEN 'nick-${RARE}' ELSE '' END`,
    display_name: `CASE WHEN n <= ${FEW} THEN '' ELSE ${text('shown')} END`,
    service_name: `CASE WHEN n <= ${FEW} THEN ${text('shown')} ELSE '' END`,
    email: text('mailed'),
    email_key: text('mailed'),
  });
  await add('user_metadata', { user_id: `'bench-user'`, key: text('key'), value: `'\\x00'` });
  await add('project', { id: `'project-' || n`, org_id: `'bench'`, name: text('undertaking') });
  await add('project_role', { project_id: `'bench-project'`, key: text('role'), display_name: text('office') });
  await add('client', {
    id: `'client-' || n`,
    client_id: `'client-' || n`,
    project_id: `'bench-project'`,
    kind: `'oidc'`,
    auth_method: `'none'`,
    name: text('program'),
  });
  await add('project_grant', {
    id: `'lent-' || n`,
    project_id: `'project-' || n`,
    granted_org_id: `'beside'`,
    role_keys: `ARRAY['role-' || n % 3 || ${few(`-${RARE}`, '')}]`,
  });
  await add('project_grant', {
    id: `'given-' || n`,
    project_id: `'bench-project'`,
    granted_org_id: `'org-' || n`,
    role_keys: `ARRAY['role-' || n % 3 || ${few(`-${RARE}`, '')}]`,
  });
  await add('user_grant', {
    id: `'grant-' || n`,
    user_id: `'user-' || n`,
    org_id: `'bench'`,
    project_id: `CASE WHEN n <= ${FEW} THEN 'project-' || n ELSE 'bench-project' END`,
    role_keys: `ARRAY['role-' || n % 3 || ${few(`-${RARE}`, '')}]`,
  });
  for (const [level, object] of [
    ['instance', instanceId],
    ['org', 'bench'],
    ['project', 'bench-project'],
  ]) {
    await add('member', { user_id: `'user-' || n`, level: `'${level}'`, object_id: `'${object}'`, roles: `'{}'` });
  }
  for (const owner of ['bench', instanceId]) {
    await add('idp', {
      id: `'${owner}-idp-' || n`,
      owner_id: `'${owner}'`,
      name: text('provider'),
      type: `'oidc'`,
      issuer: `'https://idp.test'`,
    });
  }
  for (const [org, rare, frequent] of [
    ['bench', 'org.deactivated', 'user.state.locked'],
    ['beside', 'org.reactivated', 'user.state.active'],
  ]) {
    await add('event', {
      aggregate_type: few('org', 'user'),
      aggregate_id: `'${org}-' || n`,
      sequence: `CASE WHEN n <= ${FEW} THEN 10000000 ELSE 1 END`,
      type: `CASE WHEN n <= ${FEW} THEN '${rare}' WHEN n % 2 = 0 THEN '${frequent}' ELSE 'user.human.added' END`,
      editor_id: few('rarity', 'crowd'),
      org_id: `'${org}'`,
      created_at: `now() + (n - ${to}) * interval '7 seconds'`,
    });
  }
  await add('outbox', {
    id: `'mail-' || n`,
    user_id: `'user-' || n`,
    org_id: `'bench'`,
    kind: `'init'`,
    recipient: `'a@b.test'`,
    recipient_key: `'a@b.test'`,
    state: few('dead', 'sent'),
    created_at: 'now()',
    due_at: 'now()',
  });
  await add('logout_notice', {
    session_id: `'session-' || n`,
    client_id: few('client-1', 'client-2'),
    user_id: `'user-' || n`,
    client_epoch: '0',
    state: few('dead', 'delivered'),
    created_at: 'now()',
    due_at: 'now()',
  });
  await client.query(
    `INSERT INTO webhook_delivery (webhook_id, position, state, created_at, due_at)
     SELECT 'bench-webhook', e.position, ${few('dead', 'delivered')}, now(), now()
     FROM (SELECT position, row_number() OVER (ORDER BY position) AS n FROM event WHERE org_id = 'bench') AS e
     ON CONFLICT DO NOTHING`,
  );
  for (const table of EVERY_TABLE) await client.query(`VACUUM (ANALYZE) ${table}`);
}
