import { bytes, Message, text } from '../document/field.js';
import { idOf } from './ids.js';
import { type DocumentPart, definePart, forEach, hex, OWNED_USERS, textOf } from './part.js';
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
