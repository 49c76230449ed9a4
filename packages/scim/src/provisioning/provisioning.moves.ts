import type { MovedTable } from 'gatehouse';
import { readResource } from '../resource/read-resource.js';
import { USER } from '../schema/user.schema.js';

/** What directories have said moves with the people and groups that they said it of. */
export const MOVES: readonly MovedTable[] = [
  {
    table: 'provisioned_user',
    belongsTo: 'user_id',
    columns: {
      user_id: 'user',
      directory_id: 'user',
      external_id: 'text',
      said: 'json',
      became: 'json',
      email_type: 'text',
      manager_id: 'text',
      revision: 'integer',
      changed_at: 'time',
      was_locked: 'boolean',
    },
    problemOf: ({ said, became }) =>
      isObject(became) && isUser(said) ? undefined : 'has no user of SCIM in said, or none in became',
  },
  {
    table: 'provisioned_value',
    belongsTo: 'user_id',
    columns: {
      user_id: { table: 'provisioned_user' },
      attribute: 'text',
      position: 'integer',
      type_key: 'text',
      value_key: 'text',
    },
  },
  {
    table: 'provisioned_group',
    belongsTo: 'group_id',
    columns: { group_id: 'group', directory_id: 'user', external_id: 'text', revision: 'integer' },
  },
];

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is what a request of a directory could have said. */
function isUser(value: unknown): boolean {
  if (!isObject(value)) return false;
  try {
    readResource(USER, value);
    return true;
  } catch {
    return false;
  }
}
