import type { Entry } from '../document.js';
import { toMetadataEntry } from '../metadata.js';
import type { PeopleSettings, UserNames } from '../people-settings.js';
import { type Link, toHumanEntry } from '../person.js';
import type { Report } from '../report.js';
import type { SourceObject } from '../source-object.js';
import { passwordOf } from './credential.js';
import type { FileUser } from './user-file.js';

const DATABASE = 'auth0';
const MAX_LINKS = 20;
const MAX_CHARACTERS = 200;

/** The facts that the conversion of a user needs besides the user. */
export interface UserContext {
  /** Hashes by user id, from the password files; an entry is removed when it is used. */
  readonly passwords: Map<string, string>;
  /** Our provider for each connection. */
  readonly connections: ReadonlyMap<string, string>;
  readonly names: UserNames;
  readonly settings: PeopleSettings;
  /** Normalized user names that are already taken. */
  readonly taken: Set<string>;
}

export function humanOf(
  { userId, isIdGiven, source: user }: FileUser,
  context: UserContext,
  report: Report,
): Entry<'humanUsers'> {
  const fromFile = context.passwords.get(userId) ?? '';
  context.passwords.delete(userId);
  const [firstName, lastName] = namesOf(user);
  const password = passwordOf(user, fromFile, userId, report);
  const isOfDatabase = isIdGiven && userId.startsWith(`${DATABASE}|`);
  if (isOfDatabase && password.passwordHash === '' && password.password === '')
    report.lose(
      "Passwords that are missing from the files: the users set up their account. Auth0's support sends the hashes: give them with --passwords",
      userId,
    );
  user.ignore('updated_at');
  return toHumanEntry(
    {
      userId,
      userName: userNameOf(user, userId, context, report),
      email: user.text('email'),
      emailVerified: user.flag('email_verified'),
      hadToProveEmail: false,
      phone: user.text('phone_number'),
      phoneVerified: user.flag('phone_verified'),
      profile: {
        firstName,
        lastName,
        displayName: user.text('name'),
        nickName: user.text('nickname'),
        pictureUrl: user.text('picture'),
        preferredLanguage: user.text('locale'),
      },
      isActive: !user.flag('blocked'),
      ...password,
      passwordChangeRequired: false,
      ...factorsOf(user, userId, report),
      links: linksOf(user, userId, context.connections, report),
      passkeys: [],
    },
    context.settings,
    report,
  );
}

/** Accounts of several connections may share an address, but a login name belongs to one account. */
function userNameOf(user: SourceObject, userId: string, { names, taken }: UserContext, report: Report): string {
  const name = names.nameOf(user.text('username') || user.text('email') || user.text('phone_number') || userId, report);
  const key = name.toLowerCase();
  if (!taken.has(key)) {
    taken.add(key);
    return name;
  }
  report.lose(
    'Users whose user name is already taken: the id becomes the user name, and the e-mail address is kept',
    userId,
  );
  return userId;
}

/** Falls back to the full name, split before its last word. */
function namesOf(user: SourceObject): readonly [string, string] {
  const [given, family] = [user.text('given_name'), user.text('family_name')];
  if (given !== '' || family !== '') return [given, family];
  const name = user.text('name').trim();
  const cut = name.includes('@') ? -1 : name.lastIndexOf(' ');
  return cut < 0 ? ['', ''] : [name.slice(0, cut).trim(), name.slice(cut + 1)];
}

function factorsOf(user: SourceObject, userId: string, report: Report): { totpSeed: string; hasEmailCodes: boolean } {
  let [totpSeed, hasEmailCodes] = ['', false];
  for (const factor of user.objects('mfa_factors')) {
    const seed = factor.object('totp').text('secret');
    const isOwnAddress = factor.object('email').text('value').toLowerCase() === user.text('email').toLowerCase();
    if (seed !== '' && totpSeed === '') totpSeed = seed;
    else if (factor.has('email') && isOwnAddress && user.flag('email_verified')) hasEmailCodes = true;
    else {
      factor.skip();
      report.lose(`Second factors of the kind ${factor.keys()[0] ?? 'unknown'}: must be set up again`, userId);
    }
  }
  // The ordinary export names the kinds of factors, but not their seeds.
  if (user.texts('multifactor').length > 0 && totpSeed === '')
    report.lose('Second factors whose seed is missing from the export: must be set up again', userId);
  return { totpSeed, hasEmailCodes };
}

function linksOf(user: SourceObject, userId: string, connections: ReadonlyMap<string, string>, report: Report): Link[] {
  const links = user.objects('identities').flatMap((identity) => {
    const [provider, connection] = [identity.text('provider'), identity.text('connection')];
    const id = textOrNumber(identity.any('user_id'));
    identity.ignore('isSocial');
    if (provider === DATABASE) {
      if (`${DATABASE}|${id}` !== userId) {
        identity.skip();
        report.lose('Further database accounts that are linked to a user: left out', userId);
      }
      return [];
    }
    const configId = connections.get(connection);
    // Enterprise connections prefix the provider's own id.
    const externalUserId = id.startsWith(`${connection}|`) ? id.slice(connection.length + 1) : id;
    if (configId !== undefined && externalUserId !== '' && externalUserId.length <= MAX_CHARACTERS) {
      const displayName = identity.object('profileData').text('name') || user.text('email');
      return [{ configId, externalUserId, displayName: displayName.slice(0, MAX_CHARACTERS) }];
    }
    identity.skip();
    report.lose(`Identities of the connection ${connection}: say which identity provider it is here`, userId);
    return [];
  });
  for (const { configId } of links.slice(MAX_LINKS))
    report.lose(`Links of a user beyond the first ${MAX_LINKS}`, `${userId} ${configId}`);
  return links.slice(0, MAX_LINKS);
}

function textOrNumber(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Entries of `userMetadata`: what applications stored about the user, by member. */
export function metadataOf({ userId, source: user }: FileUser, report: Report): Array<Entry<'userMetadata'>> {
  return ['user_metadata', 'app_metadata'].flatMap((kind) =>
    user
      .object(kind)
      .entries()
      .flatMap(([name, value]) => {
        const entry = toMetadataEntry(userId, `${kind}.${name}`, value, report);
        return entry ? [entry] : [];
      }),
  );
}
