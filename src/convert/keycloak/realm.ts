import { isObject, type Json, textIn } from '../json.js';
import type { Report } from '../report.js';
import { isList, valuesIn } from '../source-file.js';
import { SourceObject } from '../source-object.js';

/** A realm without its users, which stay in their files. */
export interface Realm {
  readonly name: string;
  readonly settings: SourceObject;
  /** The users that represent clients, by client id. */
  readonly serviceAccounts: ReadonlyMap<string, SourceObject>;
  /** The files that contain its users. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly place: number | undefined }>;
}

interface RealmUnderWay {
  settings: Record<string, unknown>;
  readonly serviceAccounts: Map<string, SourceObject>;
  readonly files: Array<{ path: string; place: number | undefined }>;
}

interface Part {
  readonly settings: Record<string, unknown>;
  readonly accounts: Json[];
}

/**
 * Reads everything of an export but the users: from one file with everything, a file of several realms, or a folder
 * with one file per realm and further files for users, each naming its realm.
 * @throws Error if there is no realm
 */
export async function readRealms(paths: readonly string[], report: Report): Promise<Realm[]> {
  const realms = new Map<string, RealmUnderWay>();
  for (const path of paths) {
    for (const [place, { settings, accounts }] of await readFile(path)) {
      const name = textIn(settings, 'realm');
      if (name === '') {
        report.lose('Files that do not name a realm: not read', path);
        continue;
      }
      const realm: RealmUnderWay = realms.get(name) ?? { settings: {}, serviceAccounts: new Map(), files: [] };
      realms.set(name, realm);
      // A file of users contains nothing but the name of the realm.
      if (Object.keys(settings).length > Object.keys(realm.settings).length)
        realm.settings = { ...realm.settings, ...settings };
      realm.files.push({ path, place });
      for (const account of accounts) {
        const clientId = textIn(account, 'serviceAccountClientId');
        realm.serviceAccounts.set(clientId, new SourceObject(account, { what: 'Service account', name: clientId }));
      }
    }
  }
  if (realms.size === 0)
    throw new Error('There is no realm in these files: give the export of one, or the folder that it was written to.');
  return [...realms].map(([name, { settings, ...realm }]) => ({
    name,
    ...realm,
    settings: new SourceObject(settings, { what: 'Realm setting', name }),
  }));
}

async function readFile(path: string): Promise<Map<number | undefined, Part>> {
  const several = await isList(path);
  const at = several ? '$.*' : '$';
  const parts = new Map<number | undefined, Part>();
  for await (const { place, value } of valuesIn(path, [`${at}.*`, `${at}.users.*`, `${at}.federatedUsers.*`])) {
    const [index, member, inner] = several ? place : [undefined, ...place];
    const part = parts.get(index as number | undefined) ?? { settings: {}, accounts: [] };
    parts.set(index as number | undefined, part);
    if (inner === undefined) {
      if (member !== 'users' && member !== 'federatedUsers') part.settings[member as string] = value;
    } else if (member === 'users' && isObject(value) && textIn(value, 'serviceAccountClientId') !== '')
      part.accounts.push(value);
  }
  return parts;
}

/** Its users, one by one. */
export async function* usersOf(realm: Realm): AsyncGenerator<SourceObject> {
  for await (const user of objectsIn(realm, 'users')) {
    if (textIn(user, 'serviceAccountClientId') === '')
      yield new SourceObject(user, { what: 'User', name: textIn(user, 'username') });
  }
}

/** The realm's additions to users who come from an external directory, with their ids. */
export async function* federatedUsersOf(realm: Realm): AsyncGenerator<string> {
  for await (const user of objectsIn(realm, 'federatedUsers')) yield textIn(user, 'id');
}

async function* objectsIn({ files }: Realm, member: 'users' | 'federatedUsers'): AsyncGenerator<Json> {
  for (const { path, place } of files) {
    const at = place === undefined ? '$' : `$.${place}`;
    for await (const { value } of valuesIn(path, [`${at}.${member}.*`])) if (isObject(value)) yield value;
  }
}

/** Clients that Keycloak creates in every realm. */
export function isBuiltInClient(clientId: string, realm: string): boolean {
  return BUILT_IN_CLIENTS.has(clientId) || (realm === 'master' && /-realm$/.test(clientId));
}

const BUILT_IN_CLIENTS = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
]);
