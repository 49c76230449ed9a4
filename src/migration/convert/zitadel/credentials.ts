import type { Stored } from '../../part/part.js';
import { isObject, type Json, textIn } from '../json.js';
import { hashIn } from './keyring.js';
import type { Source } from './source.js';

/** A passkey, or a key that is a second factor. */
export interface WebKey {
  readonly rpId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly aaguid: Buffer;
  readonly name: string;
  readonly isSecondFactor: boolean;
  readonly creationDate: Date | undefined;
  counter: number;
}

/** What a person signs in with, and the address: no view has these, so they are what the events of the user say. */
export interface Credentials {
  passwordHash: string;
  passwordChanged: Date | undefined;
  /** Sealed. */
  totp: unknown;
  hasEmailCodes: boolean;
  hasSmsCodes: boolean;
  recoveryCodes: readonly string[];
  readonly keys: Map<string, WebKey>;
  address: Json;
}

interface Event {
  readonly type: string;
  readonly payload: Json;
  readonly at: Date | undefined;
}

/** Events since version 1 of the service have `human` in their names. */
const KINDS = [
  'added',
  'selfregistered',
  'password.changed',
  'password.hash.updated',
  'address.changed',
  'mfa.otp.added',
  'mfa.otp.verified',
  'mfa.otp.removed',
  'mfa.otp.sms.added',
  'mfa.otp.sms.removed',
  'mfa.otp.email.added',
  'mfa.otp.email.removed',
  'mfa.recoverycode.added',
  'mfa.recoverycode.removed',
  'mfa.recoverycode.check.succeeded',
  'mfa.u2f.token.added',
  'mfa.u2f.token.verified',
  'mfa.u2f.token.removed',
  'passwordless.token.added',
  'passwordless.token.verified',
  'passwordless.token.removed',
];
const TYPES = KINDS.flatMap((kind) => [`user.human.${kind}`, `user.${kind}`]);
/** One for each use of a key: only the highest counts. */
const COUNTED = ['user.human.mfa.u2f.token.signcount.changed', 'user.human.passwordless.token.signcount.changed'];
const EVENTS = {
  schema: 'eventstore',
  table: 'events2',
  needs: ['instance_id', 'aggregate_type', 'aggregate_id', 'event_type', 'sequence', 'created_at', 'payload'],
} as const;

const ADDRESS = ['country', 'locality', 'postalCode', 'region', 'streetAddress'];

export function nothing(): Credentials {
  return {
    passwordHash: '',
    passwordChanged: undefined,
    totp: undefined,
    hasEmailCodes: false,
    hasSmsCodes: false,
    recoveryCodes: [],
    keys: new Map(),
    address: {},
  };
}

/** The credentials of these users, by user id. */
export async function credentialsOf(
  { database, instance }: Source,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Credentials>> {
  const { name } = database.layout.find(EVENTS);
  const found = new Map<string, Credentials>();
  const pending = new Map<string, unknown>();
  const rpIds = new Map<string, string>();
  const events = await database.all(
    `SELECT aggregate_id, event_type, payload, created_at
     FROM ${name}
     WHERE instance_id = :instanceId AND aggregate_type = 'user' AND aggregate_id = ANY(:userIds) AND event_type = ANY(:types)
     ORDER BY aggregate_id, sequence`,
    { instanceId: instance.id, userIds, types: TYPES },
  );
  for (const row of events) {
    const userId = String(row['aggregate_id']);
    const credentials = found.get(userId) ?? nothing();
    found.set(userId, credentials);
    apply(toEvent(row), credentials, { pending, rpIds, userId, usualRpId: instance.rpId });
  }
  const counts = await database.all(
    `SELECT aggregate_id, payload->>'webAuthNTokenId' AS token_id, max((payload->>'signCount')::bigint) AS counter
     FROM ${name}
     WHERE instance_id = :instanceId AND aggregate_type = 'user' AND aggregate_id = ANY(:userIds) AND event_type = ANY(:types)
     GROUP BY 1, 2`,
    { instanceId: instance.id, userIds, types: COUNTED },
  );
  for (const row of counts) {
    const key = found.get(String(row['aggregate_id']))?.keys.get(String(row['token_id']));
    if (key) key.counter = Math.max(key.counter, Number(row['counter'] ?? 0));
  }
  return found;
}

/** What is known of a factor that is not yet set up. */
interface UnderWay {
  /** Sealed seeds, by user. */
  readonly pending: Map<string, unknown>;
  /** Of keys, which say it when they are begun, by token. */
  readonly rpIds: Map<string, string>;
  readonly userId: string;
  readonly usualRpId: string;
}

function toEvent(row: Stored): Event {
  const payload = row['payload'];
  return {
    type: String(row['event_type']).replace(/^user\.(?:human\.)?/, ''),
    payload: isObject(payload) ? payload : {},
    at: row['created_at'] instanceof Date ? row['created_at'] : undefined,
  };
}

function apply({ type, payload, at }: Event, credentials: Credentials, underWay: UnderWay): void {
  const { pending, userId } = underWay;
  switch (type) {
    case 'added':
    case 'selfregistered':
    case 'password.changed':
      if (type !== 'password.changed') credentials.address = addressIn(payload, credentials.address);
      setPassword(credentials, payload, at);
      break;
    case 'password.hash.updated':
      // It was hashed again, by newer settings; the password is the one of before.
      credentials.passwordHash = hashIn(payload['encodedHash']);
      break;
    case 'address.changed':
      credentials.address = addressIn(payload, credentials.address);
      break;
    case 'mfa.otp.added':
      pending.set(userId, payload['otpSecret']);
      break;
    case 'mfa.otp.verified':
      credentials.totp = pending.get(userId);
      break;
    case 'mfa.otp.removed':
      credentials.totp = undefined;
      break;
    case 'mfa.otp.sms.added':
    case 'mfa.otp.sms.removed':
      credentials.hasSmsCodes = type.endsWith('added');
      break;
    case 'mfa.otp.email.added':
    case 'mfa.otp.email.removed':
      credentials.hasEmailCodes = type.endsWith('added');
      break;
    case 'mfa.recoverycode.added':
      credentials.recoveryCodes = [...credentials.recoveryCodes, ...textsIn(payload, 'codes')];
      break;
    case 'mfa.recoverycode.removed':
      credentials.recoveryCodes = [];
      break;
    case 'mfa.recoverycode.check.succeeded':
      credentials.recoveryCodes = credentials.recoveryCodes.filter((code) => code !== payload['codeChecked']);
      break;
    default:
      applyToKeys(type, payload, at, credentials, underWay);
  }
}

function setPassword(credentials: Credentials, payload: Json, at: Date | undefined): void {
  const hash = hashIn(payload['secret']) || hashIn(payload['encodedHash']);
  credentials.passwordHash = hash;
  credentials.passwordChanged = hash === '' ? undefined : at;
}

function applyToKeys(
  type: string,
  payload: Json,
  at: Date | undefined,
  { keys }: Credentials,
  { rpIds, usualRpId }: UnderWay,
): void {
  const tokenId = textIn(payload, 'webAuthNTokenId');
  if (type.endsWith('token.added')) {
    const rpId = textIn(payload, 'rpID');
    if (rpId !== '') rpIds.set(tokenId, rpId);
  } else if (type.endsWith('token.removed')) {
    keys.delete(tokenId);
  } else {
    keys.set(tokenId, {
      rpId: rpIds.get(tokenId) ?? usualRpId,
      credentialId: bytesIn(payload, 'keyId'),
      publicKey: bytesIn(payload, 'publicKey'),
      aaguid: bytesIn(payload, 'aaguid'),
      counter: Number(payload['signCount'] ?? 0),
      name: textIn(payload, 'webAuthNTokenName'),
      isSecondFactor: type.startsWith('mfa.'),
      creationDate: at,
    });
  }
}

function bytesIn(from: Json, name: string): Buffer {
  return Buffer.from(textIn(from, name), 'base64');
}

function textsIn(from: Json, name: string): string[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Only what changed is said; an empty text removes a member. */
function addressIn(payload: Json, before: Json): Json {
  const said = Object.entries(payload).filter(([name, value]) => ADDRESS.includes(name) && typeof value === 'string');
  return { ...before, ...Object.fromEntries(said) };
}
