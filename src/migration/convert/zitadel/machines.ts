import { USUAL_SPEEDS } from '../../../foundation/password/hash-cost.js';
import { HashLimits } from '../../../foundation/password/hash-limits.js';
import { NEVER } from '../../../foundation/time/expiry.js';
import { isForeignUserName } from '../../../user/new-human.js';
import { flagOf, forEach, type Stored, textOf } from '../../part/part.js';
import type { Entry } from '../document.js';
import { DELETED, STATES, USERS, usersOf } from './humans.js';
import { hashIn } from './keyring.js';
import type { Found, TableFacts } from './layout.js';
import { numberOf, type Source, type SourceOrg, wordOf } from './source.js';

const MACHINES: TableFacts = {
  table: 'users',
  part: 'machines',
  needs: ['user_id', 'instance_id', 'name', 'secret'],
  may: ['description', 'access_token_type'],
};
const TOKENS: TableFacts = {
  table: 'personal_access_tokens',
  needs: ['id', 'instance_id', 'user_id', 'expiration'],
  may: ['scopes'],
};
export const KEYS: TableFacts = {
  table: 'authn_keys',
  needs: ['id', 'instance_id', 'object_id', 'expiration', 'public_key'],
  may: ['aggregate_id', 'identifier', 'enabled', 'type', 'fingerprint'],
};
const MAX_NAME_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 500;

/** The service users of an organization. Their personal access tokens are reported. */
export async function* machinesOf(source: Source, org: SourceOrg): AsyncGenerator<Entry<'machineUsers'>> {
  const { database, instance, report } = source;
  const users = database.layout.find(USERS);
  const machines = database.layout.find(MACHINES);
  const sql = `SELECT u.*, m.*
    FROM ${usersOf(users)} u
      ${forEach(`SELECT ${machines.columns('m')} FROM ${machines.name} m WHERE m.instance_id = :instanceId AND m.user_id = u.id`)} m
    ORDER BY u.id`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
    const [userId, userName] = [textOf(row, 'id'), source.names.nameOf(textOf(row, 'username'), report)];
    const isName = isForeignUserName(userName);
    if (!isName)
      report.lose('User names that are empty or contain white space: replaced by the e-mail address or the id', userId);
    yield {
      userId,
      state: wordOf(STATES, row['state']) ?? 'active',
      secretHash: secretOf(row['secret'], userName, 'Service users', source),
      user: {
        userName: isName ? userName : userId,
        name: [...textOf(row, 'name')].slice(0, MAX_NAME_CHARACTERS).join(''),
        description: [...textOf(row, 'description')].slice(0, MAX_DESCRIPTION_CHARACTERS).join(''),
        accessTokenType: numberOf(row['access_token_type']) === 1 ? 'jwt' : 'opaque',
      },
    };
  }
  await reportTokens(source, org, users);
}

/** The stored form of a secret, or undefined and a line of the report. */
export function secretOf(
  stored: unknown,
  name: string,
  owners: string,
  { people, report }: Source,
): string | undefined {
  const hash = hashIn(stored);
  if (hash === '') return undefined;
  if (new HashLimits(USUAL_SPEEDS, people.importedHashMs).problemOf(hash) === undefined) return hash;
  report.lose(`${owners} whose secret has a hash that cannot be checked here: generate another`, name);
  return undefined;
}

/** The public keys of the service users of an organization. */
export async function* machineKeysOf(source: Source, org: SourceOrg): AsyncGenerator<Entry<'machineKeys'>> {
  const { database, instance } = source;
  const keys = database.layout.find(KEYS);
  const users = database.layout.find(USERS);
  const machines = database.layout.find(MACHINES);
  const sql = `SELECT ${keys.columns('k')}
    FROM ${keys.name} k
    JOIN ${users.name} u ON u.instance_id = k.instance_id AND u.id = k.object_id AND u.state <> ${DELETED}
    JOIN ${machines.name} m ON m.instance_id = u.instance_id AND m.user_id = u.id
    WHERE k.instance_id = :instanceId AND u.resource_owner = :orgId
    ORDER BY k.id`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id })) {
    const key = keyOf(row, source);
    if (key) yield { keyId: key.id, userId: key.objectId, type: 'json', ...key.rest };
  }
}

interface PublicKey {
  readonly id: string;
  readonly objectId: string;
  readonly rest: { readonly publicKey: Buffer; readonly expirationDate: Date };
}

/** A key that is still of use. */
export function keyOf(row: Stored, { report }: Source): PublicKey | undefined {
  const [id, objectId] = [textOf(row, 'id'), textOf(row, 'object_id')];
  const [publicKey, expiration] = [row['public_key'], row['expiration']];
  const isDisabled = row['enabled'] !== null && row['enabled'] !== undefined && !flagOf(row, 'enabled');
  if (isDisabled) {
    report.note(
      'Keys that are switched off, since their application authenticates otherwise: left out',
      `${objectId} ${id}`,
    );
    return undefined;
  }
  if (!Buffer.isBuffer(publicKey) || publicKey.includes('PRIVATE') || !publicKey.includes('PUBLIC KEY')) {
    report.lose('Keys that are no public keys in PEM: left out', `${objectId} ${id}`);
    return undefined;
  }
  const expirationDate = expiration instanceof Date && expiration < NEVER ? expiration : NEVER;
  return { id, objectId, rest: { publicKey, expirationDate } };
}

/**
 * A token is text that was sealed when it was made and is nowhere in the database, which has its id alone. Whoever uses
 * one needs another.
 */
async function reportTokens({ database, instance, report }: Source, org: SourceOrg, users: Found): Promise<void> {
  const tokens = database.layout.findIfAny(TOKENS);
  if (!tokens) return;
  const sql = `SELECT t.id, u.username
    FROM ${tokens.name} t
    JOIN ${users.name} u ON u.instance_id = t.instance_id AND u.id = t.user_id AND u.state <> ${DELETED}
    WHERE t.instance_id = :instanceId AND u.resource_owner = :orgId AND t.expiration > now()
    ORDER BY u.username, t.id`;
  for await (const row of database.rows(sql, { instanceId: instance.id, orgId: org.id }))
    report.lose(
      'Personal access tokens: they are not in the database; give their users new ones',
      `${textOf(row, 'username')} ${textOf(row, 'id')}`,
    );
}
