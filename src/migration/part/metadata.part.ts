import { METADATA_IN_PATH } from '../../org/in-path.js';
import { bytes, Message, text } from '../document/field.js';
import { canBeInPath, idOf } from './ids.js';
import { orgStage } from './org.part.js';
import { type DocumentPart, definePart, forEach, hex, OWNED_USERS, textOf } from './part.js';
import { refersTo, type Stage } from './stage.js';
import { metadataStage } from './user.stage.js';

/** An entry of `userMetadata`. */
export const USER_METADATA = new Message(
  {
    id: idOf(1),
    key: text(2, { min: 1, max: 200 }),
    value: bytes(3, { min: 1, max: 500_000 }),
  },
  ['id', 'key', 'value'],
);

const orgMetadataStage: Stage = {
  table: 'org_metadata',
  name: 'metadata of an organization',
  key: ['org_id', 'key'],
  columns: ['value'],
  ownerOf: (t) => `${t}.org_id`,
  checks: [canBeInPath('key', METADATA_IN_PATH), refersTo('org_id', orgStage)],
};

export const orgMetadataPart: DocumentPart = definePart({
  member: 'orgMetadata',
  number: 110,
  stages: [orgMetadataStage],
  message: new Message({ key: text(1, { min: 1, max: 200 }), value: bytes(2, { min: 1, max: 500_000 }) }, [
    'key',
    'value',
  ]),
  take({ key, value }, section) {
    section.stage(
      orgMetadataStage,
      { org_id: section.orgId, key, value: hex(value) },
      { type: 'org_metadata', id: `${section.orgId}_${key}`, done: key },
    );
  },
  select: 'SELECT m.key, m.value FROM org_metadata m WHERE m.org_id = :orgId ORDER BY m.key',
  rowsAtOnce: 100,
  toEntry: (row) => ({ key: textOf(row, 'key'), value: row['value'] as Buffer }),
});

export const metadataPart: DocumentPart = definePart({
  member: 'userMetadata',
  number: 23,
  stages: [metadataStage],
  message: USER_METADATA,
  take({ id, key, value }, section) {
    section.stage(
      metadataStage,
      { user_id: id, key, value: hex(value) },
      { type: 'user_metadata', id: `${id}_${key}`, done: { userId: id, key } },
    );
  },
  // Ordered by user, so that only one user's metadata is sorted at a time: a value may be long.
  select: `SELECT m.user_id, m.key, m.value
    FROM ${OWNED_USERS} u ${forEach('SELECT * FROM user_metadata WHERE user_id = u.id')} m
    ORDER BY u.id, m.key`,
  rowsAtOnce: 100,
  toEntry: (row) => ({ id: textOf(row, 'user_id'), key: textOf(row, 'key'), value: row['value'] as Buffer }),
});
