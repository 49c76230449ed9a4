import type { UserFilter } from 'gatehouse';
import { toInternational } from '../resource/phone-number.js';
import { isStorable } from './operands.js';

const SAID = "SELECT user_id AS id FROM ext_scim.provisioned_value WHERE attribute = 'phoneNumbers'";

/** Users with the number, in whichever form their directory writes it; with any, where none is given. */
export function phoneFilter(wanted: string | undefined): UserFilter {
  if (wanted === undefined)
    return { any: [{ not: { field: 'phone', is: 'equal', value: '' } }, { idIn: { sql: SAID } }] };
  if (wanted === '') return { not: phoneFilter(undefined) };
  if (!isStorable(wanted)) return { any: [] };
  const number = toInternational(wanted);
  const said: UserFilter = { idIn: { sql: `${SAID} AND value_key = :value`, values: { value: wanted.toLowerCase() } } };
  return number === undefined ? said : { any: [{ field: 'phone', is: 'equal', value: number }, said] };
}
