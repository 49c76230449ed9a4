import pg from 'pg';
import type { ServerAddress } from '../../../src/foundation/database/server-address.js';
import { png } from '../../support/images.js';
import { RP_ID } from '../passkey-documents.js';
import { BIND_PASSWORD, GOOGLE_SECRET, IDP_SECRET, IDS, INSTANCE, ORG, PARTNER, TENANT } from './facts.js';
import { Filler } from './filler.js';
import { fillPeople } from './people.js';
import { fillProjects } from './projects.js';
import { tablesOf, type Version } from './tables.js';

const CUSTOM: ReadonlyArray<readonly [key: string, text: string]> = [
  ['Login.Title', 'Willkommen auf dem Birkenhof'],
  ['SelectAccount.SessionState0', 'angemeldet'],
  ['InitMFAPrompt.Provider0', 'App'],
];
const HOUR = 3_600_000_000_000;

/** Fills an empty database as version `version` has it. */
export async function fillDatabase(connection: ServerAddress, version: Version): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of tablesOf(version)) await client.query(statement);
    const filler = new Filler(client, INSTANCE);
    await fillInstance(filler, version);
    await fillPolicies(filler, version);
    await fillPeople(filler, version);
    await fillProjects(filler, version);
    await fillProviders(filler);
  } finally {
    await client.end();
  }
}

async function fillInstance(filler: Filler, version: Version): Promise<void> {
  await filler.insert('instances', {
    instance_id: undefined,
    id: INSTANCE,
    name: 'Birkenhof',
    default_org_id: ORG,
    iam_project_id: IDS.systemProject,
    console_client_id: 'console',
    console_app_id: 'console',
    default_language: 'de',
  });
  await filler.insert('instance_domains', { domain: RP_ID, is_primary: true });
  await filler.insert('instance_domains', { domain: 'x.zitadel.example', is_generated: true });
  await filler.insert('instance_members4', { id: INSTANCE, user_id: IDS.ilse, roles: ['IAM_OWNER'] });
  await filler.insert('smtp_configs5', { id: '1', state: 1, description: 'mail' });
  for (const [id, name, org_state] of [
    [ORG, 'Birkenhof Logistik', 1],
    [PARTNER, 'Partner', 1],
    ['840000000000000109', 'Gone', 3],
  ] as const)
    await filler.insert('orgs1', { id, name, org_state, primary_domain: '' });
  await filler.insert('org_domains2', {
    org_id: ORG,
    domain: 'birkenhof.example',
    is_verified: true,
    is_primary: true,
  });
  await filler.insert('org_domains2', { org_id: ORG, domain: 'unproven.example' });
  await filler.insert('org_domains2', {
    org_id: PARTNER,
    domain: 'partner.id.birkenhof.example',
    is_verified: true,
    is_primary: true,
  });
  await filler.insert('org_metadata2', { org_id: ORG, key: 'customer', value: Buffer.from([0, 1, 0xff]) });
  if (version !== '4') return;
  await filler.insert('groups1', {
    id: 'g1',
    resource_owner: ORG,
    name: 'Drivers',
    description: 'All of them',
    state: 1,
  });
  await filler.insert('group_users1', { group_id: 'g1', user_id: IDS.ilse, resource_owner: ORG });
  await filler.insert('hosted_login_translations', { aggregate_id: ORG, locale: 'de', file: '{}' });
}

async function fillPolicies(filler: Filler, version: Version): Promise<void> {
  const lifetimes = {
    password_check_lifetime: 240 * HOUR,
    external_login_check_lifetime: 240 * HOUR,
    mfa_init_skip_lifetime: 720 * HOUR,
    second_factor_check_lifetime: 18 * HOUR,
    multi_factor_check_lifetime: 12 * HOUR,
  };
  const login = {
    allow_username_password: true,
    allow_external_idps: true,
    second_factors: version === '4' ? [1, 2, 5] : [1, 2],
    multi_factors: [1],
    passwordless_type: 1,
    ...lifetimes,
  };
  await filler.insert('login_policies5', { aggregate_id: INSTANCE, is_default: true, allow_register: true, ...login });
  await filler.insert('login_policies5', { aggregate_id: ORG, hide_password_reset: true, ...login });
  for (const [id, min_length] of [
    [INSTANCE, 10],
    [ORG, 12],
  ] as const)
    await filler.insert('password_complexity_policies2', { id, min_length, has_number: true, state: 1 });
  await filler.insert('password_age_policies2', { id: INSTANCE, state: 1, max_age_days: 3_650, expire_warn_days: 10 });
  await filler.insert('lockout_policies3', { id: INSTANCE, state: 1, max_password_attempts: 7 });
  await filler.insert('domain_policies2', { id: INSTANCE, state: 1, validate_org_domains: true });
  await filler.insert('privacy_policies4', {
    id: INSTANCE,
    state: 1,
    tos_link: 'https://birkenhof.example/{{.Lang}}/agb',
    support_email: 'hilfe@birkenhof.example',
  });
  await filler.insert('notification_policies', { id: INSTANCE, state: 1, password_change: true });
  for (const [id, state, color, logo] of [
    [INSTANCE, 1, '#aa0000', ''],
    [ORG, 1, '#00aa00', 'policy/label/logo-1'],
    [ORG, 3, '#0000aa', ''],
  ] as const)
    await filler.insert('label_policies3', {
      id,
      state,
      light_primary_color: color,
      light_logo_url: logo,
      dark_logo_url: logo === '' ? null : 'policy/label/logo-vector',
      watermark_disabled: true,
      theme_mode: 2,
    });
  for (const [name, data] of [
    ['policy/label/logo-1', png({ width: 3 })],
    ['policy/label/logo-vector', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ] as const)
    await filler.insert('system.assets', { resource_owner: ORG, name, data });
  await filler.insert('message_texts2', {
    aggregate_id: ORG,
    state: 1,
    type: 'InitCode',
    language: 'de',
    title: 'Willkommen',
    text: 'Hallo {{.FirstName}}, der Code ist {{.Code}}.',
  });
  await filler.insert('message_texts2', {
    aggregate_id: INSTANCE,
    state: 1,
    type: 'PasswordReset',
    language: 'de',
    subject: 'Neues Passwort',
  });
  for (const [key, text] of CUSTOM)
    await filler.insert('custom_texts2', { aggregate_id: ORG, template: 'Login', language: 'de', key, text });
  await filler.insert('custom_texts2', {
    aggregate_id: INSTANCE,
    template: 'Login',
    language: 'de',
    key: 'Login.Title',
    text: 'Anmelden',
  });
}

async function fillProviders(filler: Filler): Promise<void> {
  const options = { is_creation_allowed: true, is_linking_allowed: true, is_auto_creation: true, auto_linking: 2 };
  for (const [id, name, type, owner] of [
    [IDS.oidc, 'Partner login', 1, ORG],
    [IDS.google, 'Google', 10, INSTANCE],
    [IDS.github, 'GitHub', 6, INSTANCE],
    [IDS.entra, 'Entra ID', 5, ORG],
    [IDS.directory, 'Directory', 4, ORG],
  ] as const)
    await filler.insert('idp_templates6', {
      id,
      name,
      type,
      state: 1,
      resource_owner: owner,
      owner_type: owner === INSTANCE ? 0 : 1,
      ...options,
    });
  await filler.insert('idp_templates6_oidc', {
    idp_id: IDS.oidc,
    issuer: 'https://login.partner.example',
    client_id: 'gatehouse',
    client_secret: await filler.seal('idpConfigKey', IDP_SECRET),
    scopes: ['openid', 'email'],
  });
  await filler.insert('idp_templates6_google', {
    idp_id: IDS.google,
    client_id: 'x.apps.example',
    client_secret: await filler.seal('idpConfigKey', GOOGLE_SECRET),
    scopes: ['openid', 'profile', 'email'],
  });
  await filler.insert('idp_templates6_github', {
    idp_id: IDS.github,
    client_id: 'hub',
    client_secret: await filler.seal('idpConfigKey', 'secret at github'),
  });
  await filler.insert('idp_templates6_azure', {
    idp_id: IDS.entra,
    client_id: '0d2b9d7e-4f2a-4d0c-8a4f-6d1f6f0b7a11',
    client_secret: await filler.seal('idpConfigKey', 'secret at entra'),
    scopes: ['openid', 'profile', 'email', 'User.Read'],
    tenant: TENANT,
  });
  await filler.insert('idp_templates6_ldap2', {
    idp_id: IDS.directory,
    servers: ['ldaps://dc1.birkenhof.example'],
    base_dn: 'dc=birkenhof,dc=example',
    bind_dn: 'cn=reader,dc=birkenhof,dc=example',
    bind_password: await filler.seal('idpConfigKey', BIND_PASSWORD),
    user_base: 'dn',
    user_object_classes: ['person'],
    user_filters: ['uid'],
    id_attribute: 'entryUUID',
    email_attribute: 'mail',
  });
  for (const [idp_id, aggregate_id] of [
    [IDS.oidc, ORG],
    [IDS.google, ORG],
    [IDS.google, INSTANCE],
  ] as const)
    await filler.insert('idp_login_policy_links5', { idp_id, aggregate_id });
  for (const [idp_id, external_user_id] of [
    [IDS.google, '110169484474386276334'],
    [IDS.oidc, 'karl-at-partner'],
    [IDS.github, '583231'],
    [IDS.entra, '5A0C2E1B-7D8F-4E21-9C3A-1B2C3D4E5F60'],
    [IDS.directory, 'b1f3a0de-1f0b-4a5e-9f0e-3c2d1a0b9c8d'],
  ] as const)
    await filler.insert('idp_user_links3', {
      idp_id,
      user_id: IDS.karl,
      resource_owner: ORG,
      external_user_id,
      display_name: 'Karl',
    });
}
