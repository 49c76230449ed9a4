import type { GroupFilter } from 'gatehouse';
import { invalidFilter } from '../error/scim-error.js';
import { declaredName, notSearchable, type Scope } from './attribute-name.js';
import type { Filter } from './filter.js';
import { momentFilter } from './moment-filter.js';
import {
  type Compared,
  equalityOf,
  isStorable,
  momentOperand,
  patternOf,
  textMatchOf,
  textOperand,
} from './operands.js';

const ALL: GroupFilter = { all: [] };
const NONE: GroupFilter = { any: [] };

/**
 * A filter as one of groups. `externalId` is that of the directory that asks.
 * @throws ScimError `invalidFilter`
 */
export function toGroupFilter(filter: Filter, scope: Scope, directoryId: string): GroupFilter {
  const compile = (one: Filter): GroupFilter => toGroupFilter(one, scope, directoryId);
  switch (filter.is) {
    case 'and':
      return { all: filter.filters.map(compile) };
    case 'or':
      return { any: filter.filters.map(compile) };
    case 'not':
      return { not: compile(filter.filter) };
    case 'element':
      return elementFilter(declaredName(scope, filter.path), filter.filter);
    case 'present':
      return presentFilter(declaredName(scope, filter.path), directoryId);
    case 'compare':
      return compareFilter(declaredName(scope, filter.path), filter, directoryId);
  }
}

function elementFilter(name: string | undefined, filter: Filter): GroupFilter {
  if (name === undefined) return NONE;
  const isOfValue =
    filter.is === 'compare' && filter.path.name.toLowerCase() === 'value' && filter.path.sub === undefined;
  return name === 'members' && isOfValue ? memberFilter(filter) : notSearchable();
}

function presentFilter(name: string | undefined, directoryId: string): GroupFilter {
  switch (name) {
    case undefined:
      return NONE;
    case 'displayName':
    case 'id':
    case 'meta':
    case 'meta.created':
    case 'meta.lastModified':
    case 'meta.resourceType':
      return ALL;
    case 'externalId':
      return external('external_id IS NOT NULL', { directoryId });
    default:
      return notSearchable();
  }
}

function compareFilter(name: string | undefined, filter: Compared, directoryId: string): GroupFilter {
  const { operator, value } = filter;
  if (name === undefined) return NONE;
  if (operator === 'ne')
    return { not: compareFilter(name, { ...filter, operator: equalityOf(operator) }, directoryId) };
  switch (name) {
    case 'displayName': {
      const is = textMatchOf(operator);
      const wanted = textOperand(value);
      return isStorable(wanted) ? { field: 'name', is, value: wanted } : NONE;
    }
    case 'id': {
      if (operator !== 'eq') throw invalidFilter('IDs are compared by eq and ne.');
      const id = textOperand(value);
      return isStorable(id) ? { field: 'id', in: [id] } : NONE;
    }
    case 'externalId':
      return externalId(filter, directoryId);
    case 'members':
    case 'members.value':
      return memberFilter(filter);
    case 'meta.resourceType':
      return operator === 'eq' && value === 'Group' ? ALL : NONE;
    case 'meta.created':
      return momentFilter('createdAt', operator, momentOperand(value));
    case 'meta.lastModified':
      return momentFilter('changedAt', operator, momentOperand(value));
    default:
      return notSearchable();
  }
}

function memberFilter({ operator, value, ...rest }: Compared): GroupFilter {
  if (operator === 'ne') return { not: memberFilter({ ...rest, operator: 'eq', value }) };
  if (operator !== 'eq') return notSearchable();
  const userId = textOperand(value);
  return isStorable(userId) ? { member: userId } : NONE;
}

function externalId({ operator, value }: Compared, directoryId: string): GroupFilter {
  const match = textMatchOf(operator);
  const wanted = textOperand(value);
  if (!isStorable(wanted)) return NONE;
  if (match === 'equal')
    return wanted === ''
      ? { not: external('external_id IS NOT NULL', { directoryId }) }
      : external('external_id = :externalId', { directoryId, externalId: wanted });
  return external('external_id LIKE :externalId', { directoryId, externalId: patternOf(match, wanted) });
}

function external(condition: string, values: { directoryId: string; externalId?: string }): GroupFilter {
  const sql = `SELECT group_id AS id FROM ext_scim.provisioned_group WHERE directory_id = :directoryId AND ${condition}`;
  return { idIn: { sql, values } };
}
