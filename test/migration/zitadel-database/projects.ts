import { IDS, ORG, PARTNER, SYNC_KEY, slow, WEB_SECRET, WIKI_METADATA } from './facts.js';
import type { Filler } from './filler.js';
import type { Version } from './tables.js';

export async function fillProjects(filler: Filler, version: Version): Promise<void> {
  for (const [id, name] of [
    [IDS.systemProject, 'ZITADEL'],
    [IDS.project, 'Touren'],
  ] as const)
    await filler.insert('projects4', { id, name, resource_owner: ORG, state: 1, project_role_assertion: true });
  for (const key of ['dispatcher', 'driver'])
    await filler.insert('project_roles4', {
      project_id: IDS.project,
      resource_owner: ORG,
      role_key: key,
      display_name: key.toUpperCase(),
      group_name: 'tours',
    });
  await filler.insert('project_grants4', {
    grant_id: IDS.grant,
    resource_owner: ORG,
    state: 1,
    project_id: IDS.project,
    granted_org_id: PARTNER,
    granted_role_keys: ['driver', 'removed'],
  });
  const grant = { state: 1, project_id: IDS.project, resource_owner_project: ORG, granted_org: '' };
  await filler.insert('user_grants5', {
    ...grant,
    id: 'grant-of-ilse',
    resource_owner: ORG,
    user_id: IDS.ilse,
    resource_owner_user: ORG,
    grant_id: '',
    roles: ['dispatcher', 'removed'],
  });
  await filler.insert('user_grants5', {
    ...grant,
    id: 'grant-of-piet',
    resource_owner: PARTNER,
    user_id: IDS.piet,
    resource_owner_user: PARTNER,
    grant_id: IDS.grant,
    granted_org: PARTNER,
    roles: ['driver'],
  });
  await filler.insert('user_grants5', {
    ...grant,
    id: 'grant-of-fritz',
    resource_owner: ORG,
    user_id: IDS.fritz,
    resource_owner_user: ORG,
    grant_id: '',
    roles: ['driver'],
  });
  await filler.insert('org_members4', {
    org_id: ORG,
    user_id: IDS.ilse,
    roles: ['ORG_OWNER', 'SELF_MANAGEMENT_GLOBAL'],
  });
  await filler.insert('project_members4', { project_id: IDS.project, user_id: IDS.dora, roles: ['PROJECT_OWNER'] });
  await filler.insert('project_grant_members4', {
    project_id: IDS.project,
    grant_id: IDS.grant,
    granted_org: PARTNER,
    user_id: IDS.piet,
    roles: ['PROJECT_GRANT_OWNER'],
  });
  await fillApps(filler, version);
}

async function fillApps(filler: Filler, version: Version): Promise<void> {
  for (const [id, name, project] of [
    ['console', 'Console', IDS.systemProject],
    [IDS.web, 'Tours', IDS.project],
    [IDS.spa, 'Board', IDS.project],
    [IDS.api, 'API', IDS.project],
    [IDS.saml, 'Wiki', IDS.project],
  ] as const)
    await filler.insert('apps7', { id, name, project_id: project, resource_owner: ORG, state: 1 });
  const code = { response_types: [0], grant_types: [0, 2] };
  await filler.insert('apps7_oidc_configs', { app_id: 'console', client_id: 'console', ...code });
  await filler.insert('apps7_oidc_configs', {
    app_id: IDS.web,
    client_id: '840000000000000411',
    client_secret: slow(WEB_SECRET),
    ...code,
    redirect_uris: ['https://touren.example/callback'],
    post_logout_redirect_uris: ['https://touren.example/'],
    access_token_type: 1,
    access_token_role_assertion: true,
    id_token_userinfo_assertion: true,
    clock_skew: 2_000_000_000,
    additional_origins: ['https://mehr.example'],
    back_channel_logout_uri: 'https://touren.example/back',
    ...(version === '2.71' ? {} : { login_version: 1 }),
  });
  await filler.insert('apps7_oidc_configs', {
    app_id: IDS.spa,
    client_id: '840000000000000412@touren',
    response_types: version === '4' ? [-1, 0] : [0],
    grant_types: [0],
    application_type: 1,
    auth_method_type: 2,
    redirect_uris: ['https://board.example/*', 'https://board.example/callback'],
    ...(version === '4' ? { login_version: 2, login_base_uri: 'https://login.birkenhof.example' } : {}),
  });
  await filler.insert('apps7_api_configs', { app_id: IDS.api, client_id: '840000000000000413', auth_method: 1 });
  await filler.insert('authn_keys2', {
    id: 'key-of-api',
    aggregate_id: IDS.project,
    object_id: IDS.api,
    identifier: '840000000000000413',
    expiration: '2040-01-01T00:00:00Z',
    type: 1,
    public_key: Buffer.from(SYNC_KEY.publicKey.export({ type: 'spki', format: 'pem' })),
  });
  await filler.insert('apps7_saml_configs', {
    app_id: IDS.saml,
    entity_id: 'https://wiki.example/saml',
    metadata: Buffer.from(WIKI_METADATA),
  });
}
