/*
 * The tables of the database of ZITADEL, as far as a conversion reads them: names, versions and types of columns are
 * those of the versions 2.71, 3.4 and 4.11. Columns that every view has are added to each.
 */

export const VERSIONS = ['2.71', '3', '4'] as const;
export type Version = (typeof VERSIONS)[number];

type Columns = Readonly<Record<string, string>>;

const TEXT = 'text NOT NULL';
const MAYBE = 'text';
const FLAG = 'boolean NOT NULL DEFAULT false';
const NUMBER = 'smallint NOT NULL DEFAULT 0';
const NUMBERS = 'smallint[]';
const TEXTS = 'text[]';
const LONG = 'bigint NOT NULL DEFAULT 0';

/** Of every view. */
const EVERY: Columns = {
  creation_date: "timestamptz NOT NULL DEFAULT '2024-05-06T07:08:09Z'",
  change_date: "timestamptz NOT NULL DEFAULT '2024-05-06T07:08:09Z'",
  sequence: LONG,
  instance_id: TEXT,
  resource_owner: "text NOT NULL DEFAULT ''",
};
const POLICY: Columns = { id: TEXT, state: NUMBER, is_default: FLAG, owner_removed: FLAG };
const MEMBER: Columns = { user_id: TEXT, user_resource_owner: "text NOT NULL DEFAULT ''", roles: TEXTS };
const CLIENT: Columns = { idp_id: TEXT, instance_id: TEXT, client_id: TEXT, client_secret: 'jsonb', scopes: TEXTS };

const COLORS = ['primary', 'warn', 'background', 'font'].map((color) => `${color}_color`);
const LABEL: Columns = Object.fromEntries(
  ['light', 'dark'].flatMap((mode) =>
    [...COLORS, 'logo_url', 'icon_url'].map((what) => [`${mode}_${what}`, MAYBE] as const),
  ),
);
const LIFETIMES: Columns = Object.fromEntries(
  ['password_check', 'external_login_check', 'mfa_init_skip', 'second_factor_check', 'multi_factor_check'].map(
    (lifetime) => [`${lifetime}_lifetime`, LONG],
  ),
);

/** Tables that belong to a view, and that of instances, have only the columns that are named. */
const isPart = (table: string): boolean =>
  table === 'instances' ||
  /_(?:humans|machines|notifications|oidc_configs|api_configs|saml_configs)$/.test(table) ||
  /^idp_templates6_/.test(table);

function viewsOf(version: Version): Readonly<Record<string, Columns>> {
  const since3 = version !== '2.71';
  const since4 = version === '4';
  return {
    instances: {
      id: TEXT,
      name: TEXT,
      default_org_id: TEXT,
      iam_project_id: TEXT,
      console_client_id: TEXT,
      console_app_id: TEXT,
      default_language: TEXT,
    },
    instance_domains: { domain: TEXT, is_generated: FLAG, is_primary: FLAG },
    orgs1: { id: TEXT, org_state: NUMBER, name: TEXT, primary_domain: TEXT },
    org_domains2: {
      org_id: TEXT,
      domain: TEXT,
      is_verified: FLAG,
      is_primary: FLAG,
      validation_type: NUMBER,
      owner_removed: FLAG,
    },
    org_metadata2: { org_id: TEXT, key: TEXT, value: 'bytea', owner_removed: FLAG },
    login_policies5: {
      aggregate_id: TEXT,
      is_default: FLAG,
      allow_register: FLAG,
      allow_username_password: FLAG,
      allow_external_idps: FLAG,
      force_mfa: FLAG,
      force_mfa_local_only: FLAG,
      second_factors: NUMBERS,
      multi_factors: NUMBERS,
      passwordless_type: NUMBER,
      hide_password_reset: FLAG,
      ignore_unknown_usernames: FLAG,
      allow_domain_discovery: FLAG,
      disable_login_with_email: FLAG,
      disable_login_with_phone: FLAG,
      default_redirect_uri: MAYBE,
      ...LIFETIMES,
      owner_removed: FLAG,
    },
    password_complexity_policies2: {
      ...POLICY,
      min_length: LONG,
      has_lowercase: FLAG,
      has_uppercase: FLAG,
      has_symbol: FLAG,
      has_number: FLAG,
    },
    password_age_policies2: { ...POLICY, expire_warn_days: LONG, max_age_days: LONG },
    lockout_policies3: { ...POLICY, max_password_attempts: LONG, max_otp_attempts: LONG, show_failure: FLAG },
    domain_policies2: {
      ...POLICY,
      user_login_must_be_domain: FLAG,
      validate_org_domains: FLAG,
      smtp_sender_address_matches_instance_domain: FLAG,
    },
    privacy_policies4: {
      ...POLICY,
      ...Object.fromEntries(
        ['privacy_link', 'tos_link', 'help_link', 'support_email', 'docs_link', 'custom_link', 'custom_link_text'].map(
          (column) => [column, "text NOT NULL DEFAULT ''"],
        ),
      ),
    },
    notification_policies: { ...POLICY, password_change: FLAG },
    label_policies3: {
      ...POLICY,
      hide_login_name_suffix: FLAG,
      watermark_disabled: FLAG,
      should_error_popup: FLAG,
      font_url: MAYBE,
      theme_mode: NUMBER,
      ...LABEL,
    },
    message_texts2: {
      aggregate_id: TEXT,
      state: NUMBER,
      type: TEXT,
      language: TEXT,
      title: MAYBE,
      pre_header: MAYBE,
      subject: MAYBE,
      greeting: MAYBE,
      text: MAYBE,
      button_text: MAYBE,
      footer_text: MAYBE,
      owner_removed: FLAG,
    },
    custom_texts2: {
      aggregate_id: TEXT,
      is_default: FLAG,
      template: TEXT,
      language: TEXT,
      key: TEXT,
      text: TEXT,
      owner_removed: FLAG,
    },
    idp_templates6: {
      id: TEXT,
      state: NUMBER,
      name: MAYBE,
      owner_type: NUMBER,
      type: NUMBER,
      owner_removed: FLAG,
      is_creation_allowed: FLAG,
      is_linking_allowed: FLAG,
      is_auto_creation: FLAG,
      is_auto_update: FLAG,
      auto_linking: NUMBER,
    },
    idp_templates6_oidc: { ...CLIENT, issuer: MAYBE, id_token_mapping: FLAG, ...(since3 ? { use_pkce: FLAG } : {}) },
    idp_templates6_google: CLIENT,
    idp_templates6_github: CLIENT,
    idp_templates6_azure: { ...CLIENT, tenant: MAYBE, is_email_verified: FLAG },
    idp_templates6_ldap2: {
      idp_id: TEXT,
      instance_id: TEXT,
      servers: TEXTS,
      start_tls: FLAG,
      base_dn: TEXT,
      bind_dn: TEXT,
      bind_password: 'jsonb',
      user_base: TEXT,
      user_object_classes: TEXTS,
      user_filters: TEXTS,
      timeout: LONG,
      id_attribute: MAYBE,
      email_attribute: MAYBE,
      ...(since3 ? { root_ca: 'bytea' } : {}),
    },
    idp_login_policy_links5: { idp_id: TEXT, aggregate_id: TEXT, provider_type: NUMBER, owner_removed: FLAG },
    idp_user_links3: { idp_id: TEXT, user_id: TEXT, external_user_id: TEXT, display_name: TEXT, owner_removed: FLAG },
    users14: { id: TEXT, state: NUMBER, username: TEXT, type: NUMBER },
    users14_humans: {
      user_id: TEXT,
      instance_id: TEXT,
      first_name: TEXT,
      last_name: TEXT,
      nick_name: MAYBE,
      display_name: MAYBE,
      preferred_language: MAYBE,
      gender: 'smallint',
      avatar_key: MAYBE,
      email: TEXT,
      is_email_verified: FLAG,
      phone: MAYBE,
      is_phone_verified: 'boolean',
      password_change_required: FLAG,
      password_changed: 'timestamptz',
      mfa_init_skipped: 'timestamptz',
    },
    users14_machines: {
      user_id: TEXT,
      instance_id: TEXT,
      name: TEXT,
      description: MAYBE,
      secret: MAYBE,
      access_token_type: NUMBER,
    },
    users14_notifications: { user_id: TEXT, instance_id: TEXT, last_email: MAYBE, password_set: FLAG },
    user_metadata5: { user_id: TEXT, key: TEXT, value: 'bytea' },
    authn_keys2: {
      id: TEXT,
      aggregate_id: TEXT,
      object_id: TEXT,
      expiration: 'timestamptz NOT NULL',
      identifier: TEXT,
      public_key: 'bytea NOT NULL',
      enabled: 'boolean NOT NULL DEFAULT true',
      type: NUMBER,
      ...(since4 ? { fingerprint: MAYBE } : {}),
    },
    personal_access_tokens3: {
      id: TEXT,
      user_id: TEXT,
      expiration: 'timestamptz NOT NULL',
      scopes: TEXTS,
      owner_removed: FLAG,
    },
    projects4: {
      id: TEXT,
      state: NUMBER,
      name: TEXT,
      project_role_assertion: FLAG,
      project_role_check: FLAG,
      has_project_check: FLAG,
      private_labeling_setting: NUMBER,
    },
    project_roles4: { project_id: TEXT, role_key: TEXT, display_name: TEXT, group_name: TEXT },
    project_grants4: {
      grant_id: TEXT,
      state: NUMBER,
      project_id: TEXT,
      granted_org_id: TEXT,
      granted_role_keys: TEXTS,
    },
    user_grants5: {
      id: TEXT,
      state: NUMBER,
      user_id: TEXT,
      resource_owner_user: TEXT,
      project_id: TEXT,
      resource_owner_project: TEXT,
      grant_id: TEXT,
      granted_org: TEXT,
      roles: TEXTS,
    },
    org_members4: { ...MEMBER, org_id: TEXT },
    project_members4: { ...MEMBER, project_id: TEXT },
    project_grant_members4: { ...MEMBER, project_id: TEXT, grant_id: TEXT, granted_org: TEXT },
    instance_members4: { ...MEMBER, id: TEXT },
    apps7: { id: TEXT, name: TEXT, project_id: TEXT, state: NUMBER },
    apps7_oidc_configs: {
      app_id: TEXT,
      instance_id: TEXT,
      version: NUMBER,
      client_id: TEXT,
      client_secret: MAYBE,
      redirect_uris: TEXTS,
      response_types: NUMBERS,
      grant_types: NUMBERS,
      application_type: NUMBER,
      auth_method_type: NUMBER,
      post_logout_redirect_uris: TEXTS,
      is_dev_mode: FLAG,
      access_token_type: NUMBER,
      access_token_role_assertion: FLAG,
      id_token_role_assertion: FLAG,
      id_token_userinfo_assertion: FLAG,
      clock_skew: LONG,
      additional_origins: TEXTS,
      skip_native_app_success_page: FLAG,
      back_channel_logout_uri: MAYBE,
      ...(since3 ? { login_version: 'smallint', login_base_uri: MAYBE } : {}),
    },
    apps7_api_configs: {
      app_id: TEXT,
      instance_id: TEXT,
      client_id: TEXT,
      client_secret: MAYBE,
      auth_method: NUMBER,
    },
    apps7_saml_configs: {
      app_id: TEXT,
      instance_id: TEXT,
      entity_id: TEXT,
      metadata: 'bytea',
      metadata_url: MAYBE,
      ...(since3 ? { login_version: 'smallint', login_base_uri: MAYBE } : {}),
    },
    smtp_configs5: { id: TEXT, state: NUMBER, description: MAYBE },
    sessions8: { id: TEXT, state: NUMBER },
    ...(since4
      ? {
          groups1: { id: TEXT, name: TEXT, description: TEXT, state: NUMBER },
          group_users1: { group_id: TEXT, user_id: TEXT },
          hosted_login_translations: { aggregate_id: TEXT, locale: MAYBE, file: 'jsonb' },
        }
      : {}),
  };
}

/** Left behind by an upgrade: the view of a former version. */
const FORMER = `CREATE TABLE projections.users13 (id text, instance_id text, username text);
  INSERT INTO projections.users13 VALUES ('gone', 'gone', 'gone');
  CREATE TABLE projections.users13_humans (user_id text, instance_id text)`;

/** The statements that make the tables of a version. */
export function tablesOf(version: Version): string[] {
  const views = Object.entries(viewsOf(version)).map(([table, columns]) =>
    create(`projections.${table}`, { ...(isPart(table) ? {} : EVERY), ...columns }),
  );
  return [
    'CREATE SCHEMA projections; CREATE SCHEMA eventstore; CREATE SCHEMA system',
    ...views,
    FORMER,
    create('system.encryption_keys', { id: 'text PRIMARY KEY', key: TEXT }),
    create('system.assets', {
      instance_id: MAYBE,
      asset_type: MAYBE,
      resource_owner: MAYBE,
      name: MAYBE,
      content_type: MAYBE,
      data: 'bytea',
    }),
    `CREATE TABLE eventstore.events2 (
       instance_id text NOT NULL, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
       sequence bigint NOT NULL, revision smallint NOT NULL, created_at timestamptz NOT NULL, payload jsonb,
       creator text NOT NULL, owner text NOT NULL, position numeric NOT NULL, in_tx_order integer NOT NULL,
       PRIMARY KEY (instance_id, aggregate_type, aggregate_id, sequence)
     );
     CREATE INDEX es_wm ON eventstore.events2 (aggregate_id, instance_id, aggregate_type, event_type)`,
  ];
}

function create(table: string, columns: Columns): string {
  return `CREATE TABLE ${table} (${Object.entries(columns)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ')})`;
}
