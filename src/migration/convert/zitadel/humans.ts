import { USUAL_SPEEDS } from '../../../foundation/password/hash-cost.js';
import { HashLimits } from '../../../foundation/password/hash-limits.js';
import type { Profile } from '../../../user/profile.js';
import { flagOf, forEach, type Stored, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import { textIn } from '../json.js';
import { passkeysFrom, type SourcePasskey } from '../passkeys.js';
import { toHumanEntry } from '../person.js';
import { type Credentials, credentialsOf, nothing, type WebKey } from './credentials.js';
import type { Found, TableFacts } from './layout.js';
import { LINKS, type OrgProviders } from './providers.js';
import { type Source, type SourceOrg, wordOf } from './source.js';

export const USERS: TableFacts = {
  table: 'users',
  needs: ['id', 'instance_id', 'resource_owner', 'state', 'username', 'type'],
};
const HUMANS: TableFacts = {
  table: 'users',
  part: 'humans',
  needs: [
    'user_id',
    'instance_id',
    'first_name',
    'last_name',
    'email',
    'is_email_verified',
    'password_change_required',
  ],
  may: [
    'nick_name',
    'display_name',
    'preferred_language',
    'gender',
    'avatar_key',
    'phone',
    'is_phone_verified',
    'password_changed',
    'mfa_init_skipped',
  ],
};
export const STATES = { 1: 'active', 2: 'inactive', 4: 'locked', 5: 'suspended', 6: 'initial' } as const;
export const DELETED = 3;
const GENDERS = { 1: 'female', 2: 'male', 3: 'diverse' } as const;

const MAX_LANGUAGE_CHARACTERS = 10;
const MAX_CODES = 32;
const AAGUID_BYTES = 16;

interface Human {
  readonly row: Stored;
  readonly credentials: Credentials;
  readonly isLinked: boolean;
}

/**
 * The users of an organization (`:orgId`), in the order of their ids. What belongs to each is looked up by an index;
 * with plain joins the planner would read whole tables for each of many organizations.
 */
export function usersOf({ name, columns }: Found): string {
  return `(
      SELECT ${columns('u')} FROM ${name} u
      WHERE u.instance_id = :instanceId AND u.resource_owner = :orgId AND u.state <> ${DELETED}
      ORDER BY u.id OFFSET 0
    )`;
}

/** The people of an organization, one by one. */
export async function* humansOf(
  source: Source,
  org: SourceOrg,
  providers: OrgProviders,
): AsyncGenerator<Entry<'humanUsers'>> {
  const { database, instance } = source;
  const users = database.layout.find(USERS);
  const humans = database.layout.find(HUMANS);
  const sql = `SELECT u.*, h.*
    FROM ${usersOf(users)} u
      ${forEach(`SELECT ${humans.columns('h')} FROM ${humans.name} h WHERE h.instance_id = :instanceId AND h.user_id = u.id`)} h
    ORDER BY u.id`;
  for await (const rows of database.batches(sql, { instanceId: instance.id, orgId: org.id })) {
    const ids = rows.map((row) => textOf(row, 'id'));
    const credentials = await credentialsOf(source, ids);
    const linked = await linkedAmong(source, ids, providers);
    for (const row of rows) {
      const id = textOf(row, 'id');
      yield toEntry({ row, credentials: credentials.get(id) ?? nothing(), isLinked: linked.has(id) }, source);
    }
  }
}

/** The links of the people of an organization. Those that lead nowhere are reported. */
export async function* linksOf(
  { database, instance, report }: Source,
  org: SourceOrg,
  providers: OrgProviders,
): AsyncGenerator<Entry<'userLinks'>> {
  const links = database.layout.findIfAny(LINKS);
  if (!links) return;
  const users = database.layout.find(USERS);
  const sql = `SELECT l.*
    FROM ${usersOf(users)} u
      ${forEach(`SELECT ${links.columns('l')} FROM ${links.name} l WHERE l.instance_id = :instanceId AND l.user_id = u.id`)} l
    ORDER BY u.id, l.idp_id, l.external_user_id`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
    const [userId, idpId] = [textOf(row, 'user_id'), textOf(row, 'idp_id')];
    const target = providers.linkTo(idpId, textOf(row, 'external_user_id'));
    if (!target || target.subject === '' || [...target.subject].length > 200) {
      report.lose('Links to identity providers that are left out', `${userId} ${idpId}`);
      continue;
    }
    const createdAt = row['creation_date'];
    yield {
      userId,
      idpId: target.idpId,
      providedUserId: target.subject,
      providedUserName: [...textOf(row, 'display_name')].slice(0, 200).join(''),
      linkedAt: createdAt instanceof Date ? createdAt : undefined,
    };
  }
}

async function linkedAmong(
  { database, instance }: Source,
  userIds: readonly string[],
  providers: OrgProviders,
): Promise<ReadonlySet<string>> {
  const links = database.layout.findIfAny(LINKS);
  if (!links) return new Set();
  const rows = await database.all(
    `SELECT DISTINCT user_id, idp_id FROM ${links.name} WHERE instance_id = :instanceId AND user_id = ANY(:userIds)`,
    { instanceId: instance.id, userIds },
  );
  return new Set(
    rows.filter((row) => providers.linkTo(textOf(row, 'idp_id'), 'x')).map((row) => textOf(row, 'user_id')),
  );
}

function toEntry({ row, credentials, isLinked }: Human, source: Source): Entry<'humanUsers'> {
  const { report, names, people } = source;
  const [userId, userName] = [textOf(row, 'id'), textOf(row, 'username')];
  const passkeys = passkeysFrom(
    [...credentials.keys.values()].map((key) => toPasskey(userId, key)),
    userName,
    report,
  );
  const person = toHumanEntry(
    {
      userId,
      userName: names.nameOf(userName, report),
      profile: profileOf(row, credentials),
      email: textOf(row, 'email'),
      emailVerified: flagOf(row, 'is_email_verified'),
      // The pages of the source ask for a code as well.
      hadToProveEmail: true,
      phone: textOf(row, 'phone'),
      phoneVerified: flagOf(row, 'is_phone_verified'),
      isActive: true,
      passwordHash: credentials.passwordHash,
      password: '',
      passwordChangeRequired: flagOf(row, 'password_change_required'),
      totpSeed: seedOf(credentials, userName, source),
      hasEmailCodes: credentials.hasEmailCodes,
      // They are in a list of their own, with the moment of each.
      links: [],
      passkeys,
    },
    people,
    report,
  );
  if (textOf(row, 'avatar_key') !== '') report.note('Pictures of users: they upload them again', userName);
  if (credentials.hasSmsCodes) report.lose('Users with codes by SMS: they need another second factor', userName);
  const stored = wordOf(STATES, row['state']) ?? 'active';
  const opens = person.user?.hashedPassword !== undefined || isLinked;
  const canSignIn = opens || passkeys.some(({ isSecondFactor }) => isSecondFactor !== true);
  if (stored === 'initial' || !canSignIn)
    report.note(
      'Users who have not set up their account: the code in their mail is not valid here, send another',
      userName,
    );
  // Invited people are active there as well, before they have anything to sign in with. Of passkeys, the import knows.
  const state = stored === 'active' && !opens ? 'unspecified' : stored;
  return {
    ...person,
    state,
    awaitsSetUp: !canSignIn && (state === 'inactive' || state === 'locked' || state === 'suspended'),
    user: {
      ...person.user,
      passwordChanged: passwordChangedOf(row, credentials),
      recoveryCodes: codesOf(credentials, userName, source),
    },
  };
}

function profileOf(row: Stored, { address }: Credentials): Partial<Profile> {
  const parts = {
    country: textIn(address, 'country'),
    locality: textIn(address, 'locality'),
    postalCode: textIn(address, 'postalCode'),
    region: textIn(address, 'region'),
    streetAddress: textIn(address, 'streetAddress'),
  };
  const told = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
  const language = textOf(row, 'preferred_language');
  return {
    firstName: textOf(row, 'first_name'),
    lastName: textOf(row, 'last_name'),
    nickName: textOf(row, 'nick_name'),
    displayName: textOf(row, 'display_name'),
    // The tag for a language that is not known.
    preferredLanguage: language === 'und' || language.length > MAX_LANGUAGE_CHARACTERS ? '' : language,
    gender: wordOf(GENDERS, row['gender']) ?? '',
    ...(Object.keys(told).length === 0 ? {} : { address: told }),
  };
}

function passwordChangedOf(row: Stored, { passwordHash, passwordChanged }: Credentials): Date | undefined {
  const changed = row['password_changed'];
  return passwordHash === '' ? undefined : changed instanceof Date ? changed : passwordChanged;
}

function seedOf({ totp }: Credentials, userName: string, { keyring, report }: Source): string {
  if (totp === undefined) return '';
  const seed = keyring.textIn(totp);
  if (seed !== undefined) return seed;
  report.lose(
    keyring.isThere
      ? 'Authenticator apps whose seed is sealed by a key that is not in the database: set them up again'
      : 'Authenticator apps: their seeds are sealed; give the master key',
    userName,
  );
  return '';
}

function codesOf(
  { recoveryCodes }: Credentials,
  userName: string,
  { people, report }: Source,
): Array<{ readonly hash: string }> {
  const limits = new HashLimits(USUAL_SPEEDS, people.importedHashMs);
  const kept = recoveryCodes.filter((hash) => limits.codeProblemOf(hash) === undefined).slice(0, MAX_CODES);
  if (kept.length < recoveryCodes.length)
    report.lose('Recovery codes that cannot be checked here: generate new ones', userName);
  return kept.map((hash) => ({ hash }));
}

/** The source neither asks for transports nor keeps whether a key is backed up. */
function toPasskey(userId: string, key: WebKey): Partial<SourcePasskey> {
  return {
    credentialId: key.credentialId.toString('base64'),
    publicKey: key.publicKey.toString('base64'),
    counter: key.counter,
    name: key.name,
    aaguid: key.aaguid.length === AAGUID_BYTES ? uuidOf(key.aaguid) : undefined,
    userHandle: Buffer.from(userId).toString('base64'),
    rpId: key.rpId,
    isSecondFactor: key.isSecondFactor,
    creationDate: key.creationDate?.toISOString(),
  };
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
