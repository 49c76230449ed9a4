import { Message, bytes, text } from '../document/field.js';
import { idOf } from './ids.js';
import { definePart, hex, textOf, type Part } from './part.js';
import { metadataStage } from './user.stage.js';

export const metadataPart: Part = definePart({
  member: 'userMetadata', number: 23, stages: [metadataStage],
  message: new Message({ id: idOf(1), key: text(2, { min: 1, max: 200 }), value: bytes(3, { min: 1, max: 500_000 }) }, ['id', 'key', 'value']),
  take({ id, key, value }, section) {
    section.stage(metadataStage, { user_id: id, key, value: hex(value) }, { type: 'user_metadata', id: `${id}_${key}`, done: { userId: id, key } });
  },
  select: 'SELECT m.user_id, m.key, m.value FROM user_metadata m JOIN user_account u ON u.id = m.user_id WHERE u.org_id = $1 AND $2::text[] IS NOT NULL ORDER BY m.user_id, m.key',
  rowsAtOnce: 100,
  tell: (row) => ({ id: textOf(row, 'user_id'), key: textOf(row, 'key'), value: row['value'] as Buffer }),
});
