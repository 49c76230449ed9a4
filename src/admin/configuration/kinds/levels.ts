import { isUtf8 } from 'node:buffer';
import type { Json } from '../../kit/inner-calls.js';
import { orgEffects } from '../effects/access-effects.js';
import { keyed } from '../ground.js';
import type { CollectionKind, FolderKind, Kinds, SettingKind, SpecialField } from '../kind.js';
import type { Place } from '../place.js';
import { members } from './members.js';
import { policies } from './policies.js';
import { GROUPS, PROJECTS } from './projects.js';
import { PROVIDERS } from './providers.js';
import { active, checkIs } from './special-fields.js';
import { TEXTS } from './texts.js';

/** Where other services are told of events, by address. The secret that signs the calls is made here. */
const WEBHOOKS: CollectionKind = {
  type: 'collection',
  label: 'webhook',
  groups: [{ route: 'PUT /webhooks/:webhookId', keyField: 'url', of: ({ types }) => ({ types }) }],
  specials: [active('/webhooks/:webhookId')],
  list: async (ground, place) =>
    keyed(
      (await ground.call(place, 'POST /webhooks/_search'))['result'] as Json[],
      ({ url }) => url as string,
      ({ id }) => ({ webhookId: id }),
    ),
  add: async (ground, place, url, fields) => {
    const { id, secret } = await ground.change(place, 'POST /webhooks', { ...fields, url });
    ground.made({ path: [...place.path, url], values: { secret } });
    return { webhookId: id };
  },
  addRoute: () => 'POST /webhooks',
  remove: 'DELETE /webhooks/:webhookId',
};

/** Mail servers, by their descriptions. */
const MAIL_SERVERS: CollectionKind = {
  type: 'collection',
  label: 'mail server',
  groups: [{ route: 'PUT /smtp/:id', keyField: 'description', of: (read) => read }],
  specials: [active('/smtp/:id', '_activate')],
  list: async (ground, place) =>
    keyed(
      await ground.all(place, 'POST /smtp/_search'),
      ({ description, host }) => (description === '' ? host : description) as string,
      ({ id }) => ({ id }),
    ),
  add: async (ground, place, description, fields) => {
    const { id } = await ground.change(place, 'POST /smtp', { ...fields, description });
    return { id };
  },
  addRoute: () => 'POST /smtp',
  remove: 'DELETE /smtp/:id',
};

function setting(label: string, get: string, put: string, of: (answer: Json) => Json): SettingKind {
  return {
    type: 'setting',
    label,
    groups: [{ route: `PUT ${put}`, of: (read) => read }],
    read: async (ground, place) => ({ isOwn: true, read: of(await ground.call(place, `GET ${get}`)) }),
  };
}

const settingsOf = ({ settings }: Json): Json => settings as Json;

const SETTINGS: FolderKind = {
  type: 'folder',
  label: 'settings',
  parts: {
    tokens: setting('lifetimes of tokens', '/settings/oidc', '/settings/oidc', settingsOf),
    signing: setting('signing settings', '/settings/signing', '/settings/signing', settingsOf),
    security: setting('security policy', '/policies/security', '/policies/security', ({ policy }) => policy as Json),
    restrictions: setting('restrictions', '/restrictions', '/restrictions', (answer) => ({
      ...answer,
      allowedLanguages: { list: answer['allowedLanguages'] },
    })),
  },
};

const DEFAULT_LANGUAGE: SpecialField = {
  word: 'defaultLanguage',
  schema: { type: 'string' },
  route: 'PUT /languages/default/:language',
  of: async (_read, ground, place) => (await ground.call(place, 'GET /languages/default'))['language'],
  set: async (ground, place, language) => {
    checkIs('string', language, 'defaultLanguage');
    await ground.change({ ...place, ids: { language } }, 'PUT /languages/default/:language');
  },
};

const DEFAULT_ORG: SpecialField = {
  word: 'defaultOrganization',
  schema: { type: 'string' },
  route: 'PUT /orgs/default/:orgId',
  of: async (_read, ground, place) => ((await ground.call(place, 'GET /orgs/default'))['org'] as Json)['name'],
  set: async (ground, place, name) => {
    checkIs('string', name, 'defaultOrganization');
    const orgId = await ground.orgIdOf(name as string);
    await ground.change({ ...place, ids: { orgId } }, 'PUT /orgs/default/:orgId');
  },
};

const INSTANCE: SettingKind = {
  type: 'setting',
  label: 'instance',
  groups: [],
  specials: [DEFAULT_LANGUAGE, DEFAULT_ORG],
  read: async () => ({ isOwn: true, read: {} }),
  parts: {
    settings: SETTINGS,
    mailServers: MAIL_SERVERS,
    identityProviders: PROVIDERS,
    policies: policies('instance'),
    texts: TEXTS,
    webhooks: WEBHOOKS,
    managers: members('/members'),
  },
};

const DOMAIN = '/orgs/me/domains/:domain';

/** Domains of an organization. Its owner proves a domain by operations: a file cannot. */
const DOMAINS: CollectionKind = {
  type: 'collection',
  label: 'domain',
  groups: [],
  specials: [
    {
      word: 'primary',
      schema: { type: 'boolean' },
      route: `POST ${DOMAIN}/_set_primary`,
      of: ({ isPrimary }) => isPrimary,
      set: async (ground, place, isPrimary) => {
        checkIs('boolean', isPrimary, 'primary');
        // The one that was primary ceases to be by another one that becomes it.
        if (isPrimary === true) await ground.change(place, `POST ${DOMAIN}/_set_primary`);
      },
    },
  ],
  list: async (ground, place) =>
    keyed(
      await ground.all(place, 'POST /orgs/me/domains/_search'),
      ({ domainName }) => domainName as string,
      ({ domainName }) => ({ domain: domainName }),
    ),
  add: async (ground, place, domain) => {
    await ground.change(place, 'POST /orgs/me/domains', { domain });
    return { domain };
  },
  addRoute: () => 'POST /orgs/me/domains',
  remove: `DELETE ${DOMAIN}`,
};

/** Metadata of an organization, as text; what is no text is written as `base64:…`. */
const METADATA: CollectionKind = {
  type: 'collection',
  label: 'metadata',
  groups: [],
  specials: [
    {
      word: 'value',
      schema: { type: 'string' },
      route: 'POST /metadata/:key',
      of: ({ value }) => toText(value as string),
      set: async (ground, place, value) => {
        checkIs('string', value, 'value');
        await ground.change(place, 'POST /metadata/:key', { value: toBase64(value as string) });
      },
    },
  ],
  shorthand: 'value',
  list: async (ground, place) =>
    keyed(
      await ground.all(place, 'POST /metadata/_search'),
      ({ key }) => key as string,
      ({ key }) => ({ key }),
    ),
  add: async (ground, place, key, { value }) => {
    checkIs('string', value, 'value');
    const at = { ...place, ids: { ...place.ids, key } };
    await ground.change(at, 'POST /metadata/:key', { value: toBase64(value as string) });
    return { key };
  },
  addRoute: () => 'POST /metadata/:key',
  remove: 'DELETE /metadata/:key',
};

const BASE64 = 'base64:';

function toText(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : `${BASE64}${base64}`;
}

function toBase64(text: string): string {
  return text.startsWith(BASE64) ? text.slice(BASE64.length) : Buffer.from(text, 'utf8').toString('base64');
}

const OF_ORGS: Kinds = {
  domains: DOMAINS,
  metadata: METADATA,
  identityProviders: PROVIDERS,
  policies: policies('org'),
  texts: TEXTS,
  webhooks: WEBHOOKS,
  projects: PROJECTS,
  groups: GROUPS,
  managers: members('/orgs/me/members'),
};

/** What may refer to projects that another organization grants, and is applied once all of them are there. */
export const LATER: ReadonlySet<string> = new Set(['groups', 'managers']);

export const ORGS: CollectionKind = {
  type: 'collection',
  label: 'organization',
  groups: [],
  specials: [active('/orgs/me')],
  parts: OF_ORGS,
  effects: orgEffects,
  list: async (ground) => ground.orgs(),
  add: async (ground, place, name) => {
    const { id } = await ground.change({ ...place, level: 'org' }, 'POST /orgs', { name });
    ground.forgetOrgs();
    return { orgId: id };
  },
  addRoute: () => 'POST /management/v1/orgs',
  remove: 'DELETE /admin/v1/orgs/:orgId',
};

/** What a configuration consists of. */
export const CONFIGURATION: Kinds = { organizations: ORGS, instance: INSTANCE };

/** The place of an organization. */
export function placeOfOrg(name: string, orgId: string): Place {
  return { level: 'org', orgId, ids: { orgId }, path: ['organizations', name] };
}

export const OF_INSTANCE: Place = { level: 'instance', orgId: undefined, ids: {}, path: [] };
