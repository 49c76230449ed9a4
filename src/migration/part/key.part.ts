import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK } from 'jose';
import { newId } from '../../foundation/crypto/id.js';
import { publicKeyProblem } from '../../foundation/crypto/public-key.js';
import { isThere } from '../../foundation/database/is-there.js';
import { NEVER } from '../../foundation/time/expiry.js';
import { APP_KEY_IN_PATH } from '../../project/client/in-path.js';
import { MACHINE_KEY_IN_PATH } from '../../user/in-path.js';
import { KEY_TYPE } from '../../user/user.enums.js';
import { toNameKey } from '../../user/user-name.js';
import { bytes, choice, Message, moment } from '../document/field.js';
import { clientStage } from './client.stage.js';
import { canBeInPath, idIfAny, idOf, ownId } from './ids.js';
import {
  type DocumentPart,
  definePart,
  forEach,
  OWNED_PROJECTS,
  OWNED_USERS,
  type Section,
  type Stored,
  textOf,
} from './part.js';
import { OWN, refersTo, type Stage, staging } from './stage.js';
import { userStage } from './user.stage.js';

const PEM = { min: 1, max: 16_384 };

const clientKeyStage: Stage = {
  table: 'client_key',
  name: 'a key',
  key: ['id'],
  columns: ['client_row_id', 'public_key', 'expires_at'],
  mayContainMore: ['public_key'],
  asides: ['told_client_id', 'told_client_id_key'],
  ownerOf: (t) =>
    `(SELECT p.org_id FROM client c JOIN project p ON p.id = c.project_id WHERE c.id = ${t}.client_row_id)`,
  checks: [
    canBeInPath('id', APP_KEY_IN_PATH),
    refersTo('client_row_id', clientStage, OWN),
    {
      breaks: () => isThere('client c', 'c.id = s.client_row_id'),
      says: 'is a new key of an existing application',
      verdict: 'conflict',
    },
  ],
};

const machineKeyStage: Stage = {
  table: 'machine_key',
  name: 'a key',
  key: ['id'],
  columns: ['user_id', 'public_key', 'expires_at'],
  mayContainMore: ['public_key'],
  ownerOf: (t) => `(SELECT u.org_id FROM user_account u WHERE u.id = ${t}.user_id)`,
  checks: [
    canBeInPath('id', MACHINE_KEY_IN_PATH),
    refersTo('user_id', userStage, OWN),
    {
      breaks: () =>
        ['user_account', staging('user_account')]
          .map((users) => isThere(`${users} u`, `u.id = s.user_id AND u.kind <> 'service'`))
          .join(' OR '),
      says: 'belongs to a human user: keys are for service users',
      verdict: 'invalid',
    },
    // Otherwise the author of a document could act as an existing user or client.
    {
      breaks: () => isThere('user_account u', 'u.id = s.user_id'),
      says: 'is a new key of an existing service user',
      verdict: 'conflict',
    },
  ],
};

/** The public part in any format: a document must not contain a key to sign with. */
function readKey(pem: Buffer, section: Section): JWK | undefined {
  let key: JWK | undefined;
  try {
    key = pem.includes('PRIVATE') ? undefined : createPublicKey(pem).export({ format: 'jwk' });
  } catch {
    key = undefined;
  }
  const problem = key ? publicKeyProblem(key) : 'must be a public key in PEM, in base64';
  if (problem !== undefined) section.faults.add(`${section.path}.publicKey`, problem);
  return key;
}

function tellKey(row: Stored): Buffer {
  return Buffer.from(
    createPublicKey({ key: row['public_key'] as JsonWebKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
  );
}

/** An entry of `appKeys`. */
export const APP_KEY = new Message(
  {
    id: ownId(1),
    projectId: idIfAny(2),
    appId: idOf(3),
    clientId: idIfAny(4),
    type: choice(5, KEY_TYPE),
    expirationDate: moment(6),
    publicKey: bytes(7, PEM),
  },
  ['appId', 'publicKey'],
);

export const appKeyPart: DocumentPart = definePart({
  member: 'appKeys',
  number: 35,
  onlyWith: 'withKeys',
  stages: [clientKeyStage],
  message: APP_KEY,
  take({ id: given, appId, clientId, expirationDate, publicKey }, section) {
    const id = given || newId();
    section.stage(
      clientKeyStage,
      {
        id,
        client_row_id: appId,
        public_key: readKey(publicKey, section),
        expires_at: expirationDate ?? NEVER,
        told_client_id: clientId,
        told_client_id_key: toNameKey(clientId),
      },
      { type: 'app_key', id, done: id },
    );
  },
  select: `SELECT k.id, k.public_key, k.expires_at, c.id AS app_id, c.client_id, c.project_id
    FROM ${OWNED_PROJECTS} p ${forEach('SELECT id, client_id, project_id FROM client WHERE project_id = p.id')} c
      ${forEach('SELECT id, public_key, expires_at FROM client_key WHERE client_row_id = c.id')} k
    ORDER BY k.id`,
  toEntry: (row) => ({
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    appId: textOf(row, 'app_id'),
    clientId: textOf(row, 'client_id'),
    type: 'json' as const,
    expirationDate: row['expires_at'] as Date,
    publicKey: tellKey(row),
  }),
});

/** An entry of `machineKeys`. */
export const MACHINE_KEY = new Message(
  {
    keyId: ownId(1),
    userId: idOf(2),
    type: choice(3, KEY_TYPE),
    expirationDate: moment(4),
    publicKey: bytes(5, PEM),
  },
  ['userId', 'publicKey'],
);

export const machineKeyPart: DocumentPart = definePart({
  member: 'machineKeys',
  number: 36,
  onlyWith: 'withKeys',
  stages: [machineKeyStage],
  message: MACHINE_KEY,
  take({ keyId, userId, expirationDate, publicKey }, section) {
    const id = keyId || newId();
    section.stage(
      machineKeyStage,
      { id, user_id: userId, public_key: readKey(publicKey, section), expires_at: expirationDate ?? NEVER },
      { type: 'machine_user_key', id, done: id },
    );
  },
  select: `SELECT k.id, k.user_id, k.public_key, k.expires_at
    FROM ${OWNED_USERS} u ${forEach('SELECT * FROM machine_key WHERE user_id = u.id')} k
    ORDER BY k.id`,
  toEntry: (row) => ({
    keyId: textOf(row, 'id'),
    userId: textOf(row, 'user_id'),
    type: 'json' as const,
    expirationDate: row['expires_at'] as Date,
    publicKey: tellKey(row),
  }),
});
