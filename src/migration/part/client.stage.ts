import type { AccessTokenHeaderType } from '../../foundation/config/config.js';
import { isThere } from '../../foundation/database/is-there.js';
import { toSnakeCase } from '../../foundation/database/snake-case.js';
import {
  type ClientSettings,
  DEFAULT_SETTINGS,
  type NewClient,
  SETTING_NAMES,
} from '../../project/client/client-settings.js';
import { APP_IN_PATH, CLIENT_ID_IN_PATH } from '../../project/client/in-path.js';
import { isServiceUserIn } from '../../user/client-ids.js';
import { canBeInPath } from './ids.js';
import type { Stored } from './part.js';
import { notOfSystem, projectStage } from './project.part.js';
import { inQuotes, noted, OWN, orgNamed, quoted, type Row, refersTo, type Stage, staging } from './stage.js';

export const CLIENT_COLUMNS: readonly string[] = [
  'client_id',
  'state',
  'secret_hash',
  ...SETTING_NAMES.map(toSnakeCase),
];

export function toSettingColumns(settings: NewClient, accessTokenHeaderType: AccessTokenHeaderType): Row {
  const all: Partial<ClientSettings> = { ...DEFAULT_SETTINGS, accessTokenHeaderType, ...settings };
  return Object.fromEntries(SETTING_NAMES.map((name) => [toSnakeCase(name), all[name]]));
}

export function settingsIn(row: Stored): ClientSettings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, row[toSnakeCase(name)]])) as unknown as ClientSettings;
}

const staged = staging('client');
const stagedKeys = staging('client_key');
const isServiceUser = (name: string, key: string): string =>
  `${isServiceUserIn('user_account', name, key)} OR ${isServiceUserIn(staging('user_account'), name, key)}`;

/** A stored application, as named in refusals. */
const APPLICATION = `'the application ' || t.id || ' (' || t.name || ') of '
  || ${orgNamed('(SELECT p.org_id FROM project p WHERE p.id = t.project_id)')}`;
/** The described system exports neither client ids nor secrets. */
const NO_SECRET = 'is not in the document: the application cannot authenticate before a secret is generated for it';
const OWN_ID = `'is not in the document: it is ' || s.id || ' here. Change it in the application'`;

export const clientStage: Stage = {
  table: 'client',
  name: 'an application',
  key: ['id'],
  columns: CLIENT_COLUMNS,
  optional: ['secret_hash'],
  // Ids are compared in the same form as the names of users.
  asides: ['id_key', 'client_id_key'],
  ownerOf: (t) => `(SELECT o.org_id FROM project o WHERE o.id = ${t}.project_id)`,
  prepare: [
    `UPDATE ${staged} s SET _notes = ${noted('s', `s._path || '.secretHash'`, quoted(NO_SECRET))}
     WHERE s.client_id IS NULL
       AND s.secret_hash IS NULL
       AND s.auth_method IN ('client_secret_basic', 'client_secret_post')`,
    // A key names the client id that it is registered for; keep that if the application itself has none.
    `UPDATE ${staged} s
     SET client_id = k.told_client_id, client_id_key = k.told_client_id_key
     FROM (
       SELECT DISTINCT ON (client_row_id, _org)
         client_row_id,
         _org,
         told_client_id,
         told_client_id_key
       FROM ${stagedKeys}
       WHERE told_client_id <> ''
       ORDER BY client_row_id, _org, told_client_id
     ) k
     WHERE s.client_id IS NULL
       AND k.client_row_id = s.id
       AND k._org = s._org
       AND NOT ${isThere('client t', 't.id = s.id')}`,
    `UPDATE ${staged} s
     SET
       client_id = coalesce((SELECT t.client_id FROM client t WHERE t.id = s.id), s.id),
       client_id_key = s.id_key,
       _notes = ${noted('s', `s._path || '.clientId'`, OWN_ID)}
     WHERE s.client_id IS NULL`,
  ],
  uniques: [
    {
      columns: ['client_id'],
      says: 'has the client id',
      value: inQuotes('{}.client_id'),
      holder: `', which ' || ${APPLICATION} || ' has here'`,
    },
    {
      columns: ['project_id', 'name'],
      says: 'has the name',
      value: inQuotes('{}.name'),
      holder: `', which ' || ${APPLICATION} || ' has in the same project'`,
    },
  ],
  checks: [
    canBeInPath('id', APP_IN_PATH),
    canBeInPath('client_id', CLIENT_ID_IN_PATH),
    notOfSystem(),
    refersTo('project_id', projectStage, {
      ...OWN,
      says: 'belongs to a project that is neither in the document nor in this organization',
    }),
    {
      breaks: () => `${isServiceUser('s.client_id', 's.client_id_key')} OR ${isServiceUser('s.id', 's.id_key')}`,
      says: 'has a client id, or id, that is the name or id of a service user',
      verdict: 'conflict',
    },
  ],
};
