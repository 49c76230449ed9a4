import { ORG_IN_PATH } from '../../../org/in-path.js';
import { Repeats, reportDouble } from '../doubles.js';
import { contentOf, isObject, type Json, textIn } from '../json.js';
import { keptId } from '../made-id.js';
import { hasPlaceholder, type Placeholders } from '../placeholder.js';
import type { Report } from '../report.js';
import { isList, valuesIn } from '../source-file.js';
import { SourceObject } from '../source-object.js';
import { isKeyType } from './key-type.js';

/** A realm without its users, which stay in their files. */
export interface Realm {
  readonly name: string;
  /** The id of the organization that the realm becomes. */
  readonly orgId: string;
  readonly settings: SourceObject;
  /** The users that represent clients, by client id. */
  readonly serviceAccounts: ReadonlyMap<string, SourceObject>;
  /** The files that contain its users. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly place: number | undefined }>;
  /** Which types of keys its users have. */
  readonly keyTypes: ReadonlySet<string>;
  readonly repeats: Repeats;
  readonly placeholders: Placeholders | undefined;
}

interface RealmUnderWay {
  settings: Record<string, unknown>;
  readonly serviceAccounts: Map<string, SourceObject>;
  readonly files: Array<{ path: string; place: number | undefined }>;
  readonly keyTypes: Set<string>;
}

interface Part {
  readonly settings: Record<string, unknown>;
  readonly accounts: Json[];
  readonly keyTypes: Set<string>;
}

/**
 * Reads everything of an export but the users: from one file with everything, a file of several realms, or a folder
 * with one file per realm and further files for users, each naming its realm.
 * @throws Error if there is no realm
 */
export async function readRealms(
  paths: readonly string[],
  placeholders: Placeholders | undefined,
  report: Report,
): Promise<Realm[]> {
  const realms = new Map<string, RealmUnderWay>();
  const repeats = new Repeats();
  for (const path of paths) {
    for (const [place, { settings, accounts, keyTypes }] of await readFile(path, repeats, placeholders)) {
      const name = textIn(settings, 'realm');
      if (hasPlaceholder(name))
        throw new Error(
          `${path}: the name of the realm is the placeholder ${name}. Set that variable and convert with --replace-placeholders, or write the name into the file.`,
        );
      if (name === '') {
        report.lose('Files that do not name a realm: not read', path);
        continue;
      }
      const realm: RealmUnderWay = realms.get(name) ?? {
        settings: {},
        serviceAccounts: new Map(),
        files: [],
        keyTypes: new Set(),
      };
      realms.set(name, realm);
      // A file of users contains nothing but the name of the realm.
      if (Object.keys(settings).length > Object.keys(realm.settings).length)
        realm.settings = { ...realm.settings, ...settings };
      realm.files.push({ path, place });
      for (const account of accounts) addAccount(realm, account, report);
      for (const type of keyTypes) realm.keyTypes.add(type);
    }
  }
  if (realms.size === 0)
    throw new Error('There is no realm in these files: give the export of one, or the folder that it was written to.');
  return [...realms].map(([name, { settings, ...realm }]) => {
    const source = new SourceObject(settings, { what: 'Realm setting', name });
    return {
      name,
      orgId: keptId(source.text('id') || name, ORG_IN_PATH, '', report),
      ...realm,
      repeats,
      placeholders,
      settings: source,
    };
  });
}

function addAccount({ serviceAccounts }: RealmUnderWay, account: Json, report: Report): void {
  const clientId = textIn(account, 'serviceAccountClientId');
  const source = new SourceObject(account, { what: 'Service account', name: clientId });
  const first = serviceAccounts.get(clientId);
  if (first) reportDouble('Service accounts', first.content([]) === source.content([]), clientId, report);
  else serviceAccounts.set(clientId, source);
}

async function readFile(
  path: string,
  repeats: Repeats,
  placeholders: Placeholders | undefined,
): Promise<Map<number | undefined, Part>> {
  const several = await isList(path);
  const at = several ? '$.*' : '$';
  const parts = new Map<number | undefined, Part>();
  for await (const found of valuesIn(path, [`${at}.*`, `${at}.users.*`, `${at}.federatedUsers.*`])) {
    const { place } = found;
    const value = placeholders ? placeholders.fill(found.value) : found.value;
    const [index, member, inner] = several ? place : [undefined, ...place];
    const part = parts.get(index as number | undefined) ?? { settings: {}, accounts: [], keyTypes: new Set() };
    parts.set(index as number | undefined, part);
    if (inner === undefined) {
      if (member !== 'users' && member !== 'federatedUsers') part.settings[member as string] = value;
    } else if (member === 'users' && isObject(value)) {
      if (textIn(value, 'serviceAccountClientId') !== '') part.accounts.push(value);
      for (const key of keysOf(value)) repeats.see(key);
      for (const type of keyTypesOf(value)) part.keyTypes.add(type);
    }
  }
  return parts;
}

/** The values that only one user of a realm may have. Keycloak compares names regardless of case. */
function keysOf(user: Json): string[] {
  const [id, name] = [textIn(user, 'id'), textIn(user, 'username').toLowerCase()];
  return [...(id === '' ? [] : [`id ${id}`]), ...(name === '' ? [] : [`name ${name}`])];
}

function keyTypesOf({ credentials }: Json): string[] {
  const list: unknown[] = Array.isArray(credentials) ? credentials : [];
  return list.flatMap((each) => (isObject(each) ? [textIn(each, 'type')] : [])).filter(isKeyType);
}

/** The users of a realm, one by one. An export of a realm with an external directory contains some of them twice. */
export async function* usersOf(realm: Realm, report: Report): AsyncGenerator<SourceObject> {
  const known = new Map<string, string>();
  for await (const user of objectsIn(realm, 'users')) {
    if (textIn(user, 'serviceAccountClientId') !== '') continue;
    const source = new SourceObject(user, { what: 'User', name: textIn(user, 'username') });
    if (source.isPlaceholder('username')) {
      report.lose('Users whose name is a placeholder: left out', source.label.name);
      continue;
    }
    const keys = keysOf(user);
    if (keys.length === 0 && textIn(user, 'email') === '') {
      report.lose('Users without an id, a name and an e-mail address: left out', realm.name);
      continue;
    }
    if (keys.some((key) => realm.repeats.mayRepeat(key))) {
      const content = contentOf(user);
      const first = keys.map((key) => known.get(key)).find((one) => one !== undefined);
      if (first !== undefined) {
        reportDouble('Users', first === content, source.label.name, report);
        continue;
      }
      for (const key of keys) known.set(key, content);
    }
    yield source;
  }
}

/** The realm's additions to users who come from an external directory, with their ids. */
export async function* federatedUsersOf(realm: Realm): AsyncGenerator<string> {
  for await (const user of objectsIn(realm, 'federatedUsers')) yield textIn(user, 'id');
}

async function* objectsIn({ files, placeholders }: Realm, member: 'users' | 'federatedUsers'): AsyncGenerator<Json> {
  for (const { path, place } of files) {
    const at = place === undefined ? '$' : `$.${place}`;
    for await (const found of valuesIn(path, [`${at}.${member}.*`])) {
      const value = placeholders ? placeholders.fill(found.value) : found.value;
      if (isObject(value)) yield value;
    }
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
