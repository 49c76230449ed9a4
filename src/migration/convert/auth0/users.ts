import { flagIn, numberIn, objectIn, objectsIn, textIn, type Json } from '../json.js';
import { toMetadataEntry } from '../metadata.js';
import { toHumanEntry } from '../person.js';
import type { Report } from '../report.js';

const READ = new Set([
  'user_id', 'email', 'email_verified', 'username', 'phone_number', 'phone_verified', 'given_name', 'family_name', 'name', 'nickname', 'picture', 'locale', 'blocked', 'identities', 'user_metadata', 'app_metadata', 'password_hash',
  'custom_password_hash', 'mfa_factors', 'updated_at',
]);
const DATABASE = 'auth0';
const MAX_LINKS = 20;
const bare = (base64: string): string => base64.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/');

/** What stands beside the users themselves. */
export interface Beside {
  /** Hashes by the id of the user, from the file of passwords; what is taken is removed. */
  readonly passwords: Map<string, string>;
  /** The provider here that a connection is. */
  readonly connections: ReadonlyMap<string, string>;
  /** Names that others have, as they compare. */
  readonly names: Set<string>;
}

export function humanOf(user: Json, { passwords, connections, names }: Beside, report: Report): object {
  const userId = textIn(user, 'user_id');
  const fromFile = passwords.get(userId) ?? '';
  passwords.delete(userId);
  report.rest('User', userId, user, READ);
  const [givenName, familyName] = namesOf(user);
  const factors = factorsOf(user, userId, report);
  return toHumanEntry({
    userId, userName: userNameOf(user, names, report), email: textIn(user, 'email'), emailVerified: flagIn(user, 'email_verified'), phone: textIn(user, 'phone_number'), phoneVerified: flagIn(user, 'phone_verified'),
    profile: { firstName: givenName, lastName: familyName, displayName: textIn(user, 'name'), nickName: textIn(user, 'nickname'), pictureUrl: textIn(user, 'picture'), preferredLanguage: textIn(user, 'locale') },
    isActive: !flagIn(user, 'blocked'), passwordHash: fromFile || textIn(user, 'password_hash') || customHashOf(user, userId, report), password: '', passwordChangeRequired: false, ...factors,
    links: linksOf(user, userId, connections, report),
  }, report);
}

/** Accounts of several connections may share an address; a login name belongs to one. */
function userNameOf(user: Json, names: Set<string>, report: Report): string {
  const userId = textIn(user, 'user_id');
  const name = textIn(user, 'username') || textIn(user, 'email') || textIn(user, 'phone_number') || userId;
  const key = name.toLowerCase();
  if (!names.has(key)) {
    names.add(key);
    return name;
  }
  report.note('Users with the name of another one: the id is their name, and the address is kept', userId);
  return userId;
}

/** The full name, where the parts are not known, up to its last word. */
function namesOf(user: Json): readonly [string, string] {
  const [given, family] = [textIn(user, 'given_name'), textIn(user, 'family_name')];
  if (given !== '' || family !== '') return [given, family];
  const name = textIn(user, 'name').trim();
  const cut = name.includes('@') ? -1 : name.lastIndexOf(' ');
  return cut < 0 ? ['', ''] : [name.slice(0, cut).trim(), name.slice(cut + 1)];
}

/** `custom_password_hash`, as files for Auth0's own import hold it; in a modular form, or empty. */
function customHashOf(user: Json, userId: string, report: Report): string {
  const custom = objectIn(user, 'custom_password_hash');
  const algorithm = textIn(custom, 'algorithm');
  if (algorithm === '') return '';
  const [hash, salt] = [objectIn(custom, 'hash'), objectIn(custom, 'salt')];
  if (['argon2', 'bcrypt', 'pbkdf2'].includes(algorithm)) return textIn(hash, 'value');
  const logCost = Math.log2(numberIn(custom, 'cost') ?? 16_384);
  if (algorithm === 'scrypt' && Number.isInteger(logCost)) {
    const [r, p] = [numberIn(custom, 'blockSize') ?? 8, numberIn(custom, 'parallelization') ?? 1];
    return `$scrypt$ln=${logCost},r=${r},p=${p}$${inBase64(salt, 'utf8')}$${inBase64(hash, 'base64')}`;
  }
  report.note(`Passwords hashed by ${algorithm}: the person chooses another one`, userId);
  return '';
}

function inBase64(from: Json, otherwise: BufferEncoding): string {
  const encoding = textIn(from, 'encoding');
  const known: BufferEncoding = encoding === 'hex' || encoding === 'base64' || encoding === 'utf8' ? encoding : otherwise;
  return bare(Buffer.from(textIn(from, 'value'), known).toString('base64'));
}

function factorsOf(user: Json, userId: string, report: Report): { totpSeed: string; hasEmailCodes: boolean } {
  let [totpSeed, hasEmailCodes] = ['', false];
  for (const factor of objectsIn(user, 'mfa_factors')) {
    const seed = textIn(objectIn(factor, 'totp'), 'secret');
    if (seed !== '' && totpSeed === '') totpSeed = seed;
    else if (textIn(objectIn(factor, 'email'), 'value').toLowerCase() === textIn(user, 'email').toLowerCase() && flagIn(user, 'email_verified')) hasEmailCodes = true;
    else report.note(`Second factors of the kind ${Object.keys(factor)[0] ?? 'unknown'}: set up anew`, userId);
  }
  return { totpSeed, hasEmailCodes };
}

function linksOf(user: Json, userId: string, connections: ReadonlyMap<string, string>, report: Report): Array<{ configId: string; externalUserId: string; displayName: string }> {
  const links = objectsIn(user, 'identities').flatMap((identity) => {
    const [provider, connection] = [textIn(identity, 'provider'), textIn(identity, 'connection')];
    if (provider === DATABASE) {
      if (`${DATABASE}|${textOrNumber(identity['user_id'])}` !== userId) report.note('Second database accounts that are linked to a user: left out', userId);
      return [];
    }
    const configId = connections.get(connection);
    // Enterprise connections stand before the provider's own id.
    const id = textOrNumber(identity['user_id']);
    const externalUserId = id.startsWith(`${connection}|`) ? id.slice(connection.length + 1) : id;
    if (configId !== undefined && externalUserId !== '' && externalUserId.length <= 200) {
      return [{ configId, externalUserId, displayName: textIn(objectIn(identity, 'profileData'), 'name').slice(0, 200) || textIn(user, 'email').slice(0, 200) }];
    }
    report.note(`Identities of the connection ${connection}: name the provider that it is here`, userId);
    return [];
  });
  for (const { configId } of links.slice(MAX_LINKS)) report.note(`Links beyond the first ${MAX_LINKS} of a person`, `${userId} ${configId}`);
  return links.slice(0, MAX_LINKS);
}

function textOrNumber(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Entries in `userMetadata`: what applications have written about somebody, by member. */
export function metadataOf(user: Json, report: Report): object[] {
  const userId = textIn(user, 'user_id');
  return ['user_metadata', 'app_metadata'].flatMap((kind) => Object.entries(objectIn(user, kind)).flatMap(([name, value]) => {
    const entry = toMetadataEntry(userId, `${kind}.${name}`, value, report);
    return entry ? [entry] : [];
  }));
}
