import { isUtf8 } from 'node:buffer';
import { newId } from '../../foundation/crypto/id.js';
import { isStorable } from '../../foundation/crypto/json-members.js';
import { isThere } from '../../foundation/database/is-there.js';
import { TRANSPORTS, type Transport } from '../../user/factor/auth-key.entity.js';
import type { KeyKind } from '../../user/factor/factor.entity.js';
import { FIRST_NAMES, nameOfNewKey, parseKeyName } from '../../user/factor/key-names.js';
import { earlier, type Section, type Stored } from './part.js';
import type { DocumentPasskey } from './passkey.message.js';
import { inQuotes, type Stage, staging } from './stage.js';
import { isOfExistingUser, OWNED, STAGED_PASSKEYS } from './user.stage.js';

export const HOW_TO_ADD_ONE = 'Send the user a link to add a passkey: SendPasswordlessRegistration';

const TYPES: Readonly<Record<KeyKind, string>> = { passkey: 'passkey', u2f: 'security_key' };

const staged = staging(STAGED_PASSKEYS);
const stagedUser = staging('user_account');

/** A key that its user has here already is the stored one: the document does not know by which id. */
const FIND_STORED = `UPDATE ${staged} s
  SET id = f.id
  FROM auth_key k
  JOIN auth_factor f ON f.id = k.factor_id
  WHERE k.credential_id = s.credential_id AND f.user_id = s.user_id`;

const isAnotherUser = (users: string): string => isThere(`${users} u`, 'u.id = s.handle_as_id AND u.id <> s.user_id');

/**
 * Passkeys and security keys, each with its public key. Like other second factors they are imported with their user
 * alone: otherwise the author of a document could sign in as an existing one. What the use of a key, or its owner,
 * changes (counter, name, whether it is backed up) is not compared.
 */
export const passkeyStage: Stage = {
  ...OWNED,
  table: 'auth_factor',
  stagedAs: STAGED_PASSKEYS,
  name: 'a passkey or security key',
  key: ['id'],
  columns: ['user_id', 'kind', 'state', 'created_at'],
  uncompared: ['created_at'],
  asides: [
    'credential_id',
    'user_handle',
    'handle_as_id',
    'public_key',
    'rp_id',
    'sign_count',
    'transports',
    'aaguid',
    'backup_eligible',
    'backed_up',
    'name',
  ],
  besides: {
    table: 'auth_key',
    columns: {
      factor_id: 'id',
      credential_id: 'credential_id',
      user_handle: 'user_handle',
      public_key: `decode(public_key, 'hex')`,
      rp_id: 'rp_id',
      sign_count: 'sign_count::bigint',
      transports: `string_to_array(transports, ' ')`,
      aaguid: 'aaguid',
      backup_eligible: 'backup_eligible::boolean',
      backed_up: 'backed_up::boolean',
      name: 'name',
    },
  },
  prepare: [FIND_STORED],
  sameOnlyIf: `EXISTS (
    SELECT 1
    FROM auth_key k
    WHERE k.factor_id = t.id
      AND k.public_key = decode(s.public_key, 'hex')
      AND k.rp_id = s.rp_id
      AND k.user_handle IS NOT DISTINCT FROM s.user_handle)`,
  uniques: [
    {
      columns: ['credential_id'],
      table: 'auth_key',
      says: 'has the credential id',
      value: inQuotes('{}.credential_id'),
      holder: `', which a key of the user ' || (SELECT f.user_id FROM auth_factor f WHERE f.id = t.factor_id) || ' has here'`,
    },
  ],
  checks: [
    ...OWNED.checks,
    isOfExistingUser('is a new passkey or security key of an existing user'),
    {
      // No handle finds a user. But browsers are told by handle which passkeys they may forget.
      breaks: () => `s.handle_as_id IS NOT NULL AND (${isAnotherUser('user_account')} OR ${isAnotherUser(stagedUser)})`,
      says: 'has a user handle that is the id of another user',
      verdict: 'conflict',
    },
  ],
};

/** The keys of a user. Those of another domain are left out: browsers would never offer them here. */
export function stagePasskeys(userId: string, passkeys: readonly DocumentPasskey[], section: Section): void {
  const taken: string[] = [];
  for (const [index, key] of passkeys.entries()) {
    const at = `user.passkeys[${index}]`;
    const kind: KeyKind = key.isSecondFactor ? 'u2f' : 'passkey';
    const aaguid = key.aaguid.toLowerCase();
    const name = parseKeyName(key.name) ?? nameOfNewKey(aaguid, FIRST_NAMES[kind], taken);
    taken.push(name);
    const rpId = key.rpId.toLowerCase();
    const credentialId = key.credentialId.toString('base64url');
    checkBackup(key, `${section.path}.${at}`, section);
    section.stage(
      passkeyStage,
      {
        id: newId(),
        user_id: userId,
        kind,
        state: 'ready',
        created_at: earlier(key.creationDate, section.now),
        credential_id: credentialId,
        ...handleOf(key, userId),
        public_key: key.publicKey.toString('hex'),
        rp_id: rpId,
        sign_count: key.counter,
        transports: transportsOf(key, `${section.path}.${at}`, section).join(' '),
        aaguid,
        backup_eligible: key.isBackupEligible ?? null,
        backed_up: key.isBackedUp,
        name,
      },
      { type: TYPES[kind], id: `${userId}_${credentialId}`, at, leftOut: whyLeftOut(name, rpId, section) },
    );
  }
}

function whyLeftOut(name: string, rpId: string, section: Section): string | undefined {
  if (rpId === section.rpId) return undefined;
  const here = section.rpId === undefined ? 'this service has no domain' : `here it is ${section.rpId}`;
  return `${JSON.stringify(name)} works at ${rpId} alone, and ${here} (PASSKEY_RP_ID). It is left out. ${HOW_TO_ADD_ONE}`;
}

/** WebAuthn Level 3 §6.1.3: what cannot be backed up is not. */
function checkBackup({ isBackupEligible, isBackedUp }: DocumentPasskey, path: string, { faults }: Section): void {
  if (isBackedUp && isBackupEligible === false)
    faults.add(`${path}.isBackedUp`, 'must not be true of a key that is not backup eligible');
}

/** Those that are known here: they are hints for browsers only. */
function transportsOf({ transports }: DocumentPasskey, path: string, { faults }: Section): Transport[] {
  const known = TRANSPORTS.filter((transport) => transports.includes(transport));
  const unknown = transports.filter((transport) => !known.some((each) => each === transport));
  if (unknown.length > 0) faults.note(`${path}.transports`, `${unknown.join(', ')} is not known here, and left out`);
  return known;
}

/** `handle_as_id`: the user whose own keys would have this handle. */
function handleOf({ userHandle }: DocumentPasskey, userId: string): Record<string, string | null> {
  const isOwn = userHandle.length === 0 || userHandle.equals(Buffer.from(userId));
  if (isOwn) return { user_handle: null, handle_as_id: null };
  const text = isUtf8(userHandle) ? userHandle.toString() : '';
  return {
    user_handle: userHandle.toString('base64url'),
    handle_as_id: text !== '' && isStorable(text) ? text : null,
  };
}

/** The keys of the user `u` whose factors `f` says exist, as a column of an export: the oldest first. */
export const KEYS_COLUMN = `CASE WHEN f.has_keys AND :withPasskeys::boolean THEN (
    SELECT json_agg(
      json_build_object(
        'credentialId', k.credential_id,
        'userHandle', k.user_handle,
        'publicKey', encode(k.public_key, 'hex'),
        'rpId', k.rp_id,
        'counter', k.sign_count,
        'transports', k.transports,
        'aaguid', k.aaguid,
        'isBackupEligible', k.backup_eligible,
        'isBackedUp', k.backed_up,
        'name', k.name,
        'isSecondFactor', a.kind = 'u2f',
        'creationDate', a.created_at)
      ORDER BY a.created_at, k.credential_id)
    FROM auth_factor a
    JOIN auth_key k ON k.factor_id = a.id
    WHERE a.user_id = u.id AND a.state = 'ready'
  ) END AS keys`;

/** A key as `KEYS_COLUMN` reads it. */
type StoredKey = Omit<
  DocumentPasskey,
  'credentialId' | 'publicKey' | 'userHandle' | 'isBackupEligible' | 'creationDate'
> & {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly userHandle: string | null;
  readonly isBackupEligible: boolean | null;
  readonly creationDate: string;
};

export function passkeysIn(row: Stored, userId: string): DocumentPasskey[] {
  return ((row['keys'] as StoredKey[] | null) ?? []).map((key) => ({
    ...key,
    credentialId: Buffer.from(key.credentialId, 'base64url'),
    publicKey: Buffer.from(key.publicKey, 'hex'),
    userHandle: key.userHandle === null ? Buffer.from(userId) : Buffer.from(key.userHandle, 'base64url'),
    isBackupEligible: key.isBackupEligible ?? undefined,
    creationDate: new Date(key.creationDate),
  }));
}
