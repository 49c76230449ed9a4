import type { UserFilter } from 'gatehouse';
import { invalidFilter } from '../error/scim-error.js';
import { declaredName, notSearchable, type Scope } from './attribute-name.js';
import { emailFilter } from './email-filter.js';
import type { Comparand, Comparison, Filter } from './filter.js';
import { momentFilter } from './moment-filter.js';
import {
  type Compared,
  equalityOf,
  flagOperand,
  isStorable,
  momentOperand,
  patternOf,
  textMatchOf,
  textOperand,
} from './operands.js';
import { phoneFilter } from './phone-filter.js';

type TextField = 'userName' | 'firstName' | 'lastName' | 'displayName';

const TEXTS: Readonly<Record<string, TextField>> = {
  userName: 'userName',
  'name.givenName': 'firstName',
  'name.familyName': 'lastName',
  displayName: 'displayName',
};

export const EVERYBODY: UserFilter = { all: [] };
export const NOBODY: UserFilter = { any: [] };

/**
 * A filter as one of users. `externalId` is that of the directory that asks.
 * @throws ScimError `invalidFilter`
 */
export function toUserFilter(filter: Filter, scope: Scope, directoryId: string): UserFilter {
  return new UserCompiler(scope, directoryId).compile(filter);
}

class UserCompiler {
  constructor(
    private readonly scope: Scope,
    private readonly directoryId: string,
  ) {}

  compile(filter: Filter): UserFilter {
    switch (filter.is) {
      case 'and':
        return { all: filter.filters.map((one) => this.compile(one)) };
      case 'or':
        return { any: filter.filters.map((one) => this.compile(one)) };
      case 'not':
        return { not: this.compile(filter.filter) };
      case 'element':
        return this.element(declaredName(this.scope, filter.path), filter.filter);
      case 'present':
        return this.present(declaredName(this.scope, filter.path));
      case 'compare':
        return this.compare(declaredName(this.scope, filter.path), filter);
    }
  }

  private element(name: string | undefined, filter: Filter): UserFilter {
    if (name === undefined) return NOBODY;
    if (name === 'emails') return emailFilter(filter);
    if (name === 'groups' && filter.is === 'compare' && isValue(filter.path)) return this.group(filter);
    return notSearchable();
  }

  private present(name: string | undefined): UserFilter {
    if (name === undefined) return NOBODY;
    const text = TEXTS[name];
    if (text !== undefined) return { not: { field: text, is: 'equal', value: '' } };
    switch (name) {
      case 'name':
      case 'id':
      case 'meta':
      case 'meta.created':
      case 'meta.lastModified':
      case 'meta.resourceType':
      case 'active':
        return EVERYBODY;
      case 'emails':
      case 'emails.value':
        return emailFilter({ is: 'present', path: { name: 'value', sub: undefined } });
      case 'emails.type':
        return emailFilter({ is: 'present', path: { name: 'type', sub: undefined } });
      case 'phoneNumbers':
      case 'phoneNumbers.value':
        return phoneFilter(undefined);
      case 'externalId':
        return this.external('external_id IS NOT NULL', {});
      case 'manager':
      case 'manager.value':
        return { idIn: { sql: "SELECT user_id AS id FROM ext_scim.provisioned_user WHERE manager_id > ''" } };
      default:
        return notSearchable();
    }
  }

  private compare(name: string | undefined, filter: Compared): UserFilter {
    if (name === undefined) return NOBODY;
    const { operator, value } = filter;
    if (operator === 'ne') return { not: this.compare(name, { ...filter, operator: equalityOf(operator) }) };
    const text = TEXTS[name];
    if (text !== undefined) return textFilter(text, operator, value);
    switch (name) {
      case 'id':
        return idFilter(operator, value);
      case 'externalId':
        return this.externalId(operator, value);
      case 'active':
        return activeFilter(operator, value);
      case 'emails':
      case 'emails.value':
        return emailFilter({ ...filter, path: { name: 'value', sub: undefined } });
      case 'emails.type':
        return emailFilter({ ...filter, path: { name: 'type', sub: undefined } });
      case 'phoneNumbers':
      case 'phoneNumbers.value':
        return operator === 'eq' ? phoneFilter(textOperand(value)) : notSearchable();
      case 'groups':
      case 'groups.value':
        return this.group(filter);
      case 'manager':
      case 'manager.value':
        return managerFilter(operator, value);
      case 'meta.resourceType':
        return operator === 'eq' && value === this.scope.type.name ? EVERYBODY : NOBODY;
      case 'meta.created':
        return momentFilter('createdAt', operator, momentOperand(value));
      case 'meta.lastModified':
        return modifiedFilter(operator, momentOperand(value));
      default:
        return notSearchable();
    }
  }

  private group({ operator, value }: Compared): UserFilter {
    if (operator === 'ne') return { not: this.group({ ...EQUAL, value }) };
    if (operator !== 'eq') return notSearchable();
    const groupId = textOperand(value);
    return isStorable(groupId) ? { memberOf: groupId } : NOBODY;
  }

  private externalId(operator: Comparison, value: Comparand): UserFilter {
    const match = textMatchOf(operator);
    const wanted = textOperand(value);
    if (!isStorable(wanted)) return NOBODY;
    if (match === 'equal')
      return wanted === ''
        ? { not: this.external('external_id IS NOT NULL', {}) }
        : this.external('external_id = :externalId', { externalId: wanted });
    return this.external('external_id LIKE :externalId', { externalId: patternOf(match, wanted) });
  }

  private external(condition: string, values: { readonly externalId?: string }): UserFilter {
    const sql = `SELECT user_id AS id FROM ext_scim.provisioned_user WHERE directory_id = :directoryId AND ${condition}`;
    return { idIn: { sql, values: { ...values, directoryId: this.directoryId } } };
  }
}

const EQUAL = { is: 'compare', path: { name: 'value', sub: undefined }, operator: 'eq' } as const;

function isValue({ name, sub }: { readonly name: string; readonly sub: string | undefined }): boolean {
  return name.toLowerCase() === 'value' && sub === undefined;
}

function textFilter(field: TextField, operator: Comparison, value: Comparand): UserFilter {
  const is = textMatchOf(operator);
  const wanted = textOperand(value);
  return isStorable(wanted) ? { field, is, value: wanted } : NOBODY;
}

function idFilter(operator: Comparison, value: Comparand): UserFilter {
  if (operator !== 'eq') throw invalidFilter('IDs are compared by eq and ne.');
  const id = textOperand(value);
  return isStorable(id) ? { field: 'id', in: [id] } : NOBODY;
}

/** An account that is not set up, or locked, is active. */
function activeFilter(operator: Comparison, value: Comparand): UserFilter {
  if (operator !== 'eq') throw invalidFilter('active is compared by eq and ne.');
  return { field: 'state', in: flagOperand(value) ? ['initial', 'active', 'locked'] : ['inactive'] };
}

function managerFilter(operator: Comparison, value: Comparand): UserFilter {
  if (operator !== 'eq') throw invalidFilter('Managers are compared by eq and ne.');
  const managerId = textOperand(value);
  if (!isStorable(managerId)) return NOBODY;
  return {
    idIn: {
      sql: 'SELECT user_id AS id FROM ext_scim.provisioned_user WHERE manager_id = :managerId',
      values: { managerId },
    },
  };
}

/** The later of two moments: that of the account, and that of what only the directory says of it. */
function modifiedFilter(operator: Comparison, moment: Date): UserFilter {
  const ours = (compare: string): UserFilter => ({
    idIn: {
      sql: `SELECT user_id AS id FROM ext_scim.provisioned_user WHERE changed_at ${compare} :moment`,
      values: { moment },
    },
  });
  const after: UserFilter = { any: [{ field: 'changedAt', is: 'after', value: moment }, ours('>')] };
  const since: UserFilter = { any: [after, { field: 'changedAt', is: 'equal', value: moment }, ours('=')] };
  switch (operator) {
    case 'gt':
      return after;
    case 'ge':
      return since;
    case 'lt':
      return { not: since };
    case 'le':
      return { not: after };
    case 'eq':
      return { all: [since, { not: after }] };
    default:
      return notSearchable();
  }
}
