import { textOf } from '../../part/part.js';
import type { Source } from './source.js';

/** Views whose rows are not carried over, and what that means. An empty text: nothing that anybody could miss. */
const VIEWS: Readonly<Record<string, string>> = {
  actions: 'Actions of the first version: write an extension or a webhook instead',
  flow_triggers: '',
  executions: 'Actions of the second version: write an extension or a webhook instead',
  targets: 'Targets of actions: add webhooks',
  mail_templates: 'Templates of mails: the mails have a form of their own',
  sms_configs: 'Settings of a sender of SMS: there are no SMS here',
  smtp_configs: 'Settings of the mail server: set SMTP_URL',
  notification_providers: '',
  oidc_settings: 'Lifetimes of tokens of the instance: set them at the target',
  security_policies: 'Security settings of the instance: embedding and impersonation',
  restrictions: 'Restrictions of the instance: languages, and registration of organizations',
  instance_trusted_domains: 'Trusted domains of the instance',
  hosted_login_translations: 'Texts of the sign-in pages of version 2: write those of the pages here',
  organization_settings: 'Settings of organizations: user names that are unique only in their organization',
  limits: 'Limits of the instance',
  quotas: 'Quotas of the instance',
  user_schemas: 'Schemas of users',
  group_grants: 'Grants to groups: grant the roles to the groups by hand',
  // Domains are set at the target itself; the rest belongs to a moment, to another table, or to nobody.
  instance_domains: '',
  idps: '',
  login_names: '',
  user_auth_methods: '',
  keys: '',
  certificates: '',
  web_keys: '',
  sessions: '',
  auth_requests: '',
  saml_requests: '',
  device_auth_requests: '',
  secret_generators: '',
  instance_features: '',
  system_features: '',
  milestones: '',
  debug_events: '',
  notifications: '',
  notifications_quota: '',
  telemetry: '',
  current_states: '',
  current_sequences: '',
  failed_events: '',
  locks: '',
};

/** Parts of the tables that are read which say nothing that is kept, or that is kept otherwise. */
const KNOWN_COLUMNS = new Set(['fingerprint']);

/** Everything of the database that nothing has asked for, so that the report is complete whatever the version. */
export async function reportRest({ database, instance, report }: Source): Promise<void> {
  for (const { table, view, isOfInstance } of database.layout.unreadTables()) {
    const meaning = VIEWS[view];
    if (meaning === '') continue;
    const [row] = await database.all(
      `SELECT count(*)::text AS total FROM ${table} ${isOfInstance ? 'WHERE instance_id = :instanceId' : ''}`,
      isOfInstance ? { instanceId: instance.id } : {},
    );
    const total = row ? textOf(row, 'total') : '0';
    if (total !== '0') report.note(meaning ?? 'Tables that are not known here: not read', `${table}: ${total}`);
  }
  for (const { table, column } of database.layout.unread()) {
    if (!KNOWN_COLUMNS.has(column)) report.note('Columns that are not known here: not read', `${table}.${column}`);
  }
}
