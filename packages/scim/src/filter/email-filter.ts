import type { SqlValues, UserFilter } from 'gatehouse';
import { EMAILS } from '../schema/user.schema.js';
import { notSearchable } from './attribute-name.js';
import type { Comparand, Comparison, Filter } from './filter.js';
import { subAt } from './matches.js';
import { equalityOf, flagOperand, isStorable, patternOf, textMatchOf, textOperand } from './operands.js';

/**
 * Users of whom one address fulfils the whole filter: that of the account, which Gatehouse has, or another one that
 * their directory has said.
 * @throws ScimError `invalidFilter`
 */
export function emailFilter(filter: Filter): UserFilter {
  const others = new OtherAddresses();
  const condition = others.compile(filter);
  return {
    any: [
      ofAccount(filter),
      {
        idIn: {
          sql: `SELECT user_id AS id FROM ext_scim.provisioned_value WHERE attribute = 'emails' AND ${condition}`,
          values: others.values,
        },
      },
    ],
  };
}

/** The filter on the address of the account. */
function ofAccount(filter: Filter): UserFilter {
  switch (filter.is) {
    case 'and':
      return { all: filter.filters.map(ofAccount) };
    case 'or':
      return { any: filter.filters.map(ofAccount) };
    case 'not':
      return { not: ofAccount(filter.filter) };
    case 'element':
      return notSearchable();
    case 'present': {
      const name = subAt(EMAILS, filter.path).name;
      if (name === 'value') return { not: { field: 'email', is: 'equal', value: '' } };
      return name === 'type' ? ofType('>', '') : notSearchable();
    }
    case 'compare':
      return comparedOfAccount(subAt(EMAILS, filter.path).name, filter.operator, filter.value);
  }
}

function comparedOfAccount(name: string, operator: Comparison, value: Comparand): UserFilter {
  if (operator === 'ne') return { not: comparedOfAccount(name, equalityOf(operator), value) };
  if (name === 'primary') return operator === 'eq' && flagOperand(value) ? { all: [] } : { any: [] };
  if (name !== 'value' && name !== 'type') return notSearchable();
  const is = textMatchOf(operator);
  const wanted = textOperand(value);
  if (!isStorable(wanted)) return { any: [] };
  if (name === 'value') return { field: 'email', is, value: wanted };
  const key = wanted.toLowerCase();
  return is === 'equal' ? ofType('=', key) : ofType('LIKE', patternOf(is, key));
}

/** By what the address of the account is for. Of people whom no directory provisions, that is not known. */
function ofType(compare: '=' | '>' | 'LIKE', type: string): UserFilter {
  const sql = `SELECT user_id AS id FROM ext_scim.provisioned_user WHERE email_type ${compare} :type`;
  return { idIn: { sql, values: { type } } };
}

/** The filter on one row of `provisioned_value`, as SQL with bound values. */
class OtherAddresses {
  readonly values: Record<string, SqlValues[string]> = {};
  private count = 0;

  compile(filter: Filter): string {
    switch (filter.is) {
      case 'and':
        return `(${filter.filters.map((one) => this.compile(one)).join(' AND ')})`;
      case 'or':
        return `(${filter.filters.map((one) => this.compile(one)).join(' OR ')})`;
      case 'not':
        return `NOT ${this.compile(filter.filter)}`;
      case 'element':
        return notSearchable();
      case 'present':
        return `(${columnOf(subAt(EMAILS, filter.path).name)} > '')`;
      case 'compare':
        return this.compare(subAt(EMAILS, filter.path).name, filter.operator, filter.value);
    }
  }

  private compare(name: string, operator: Comparison, value: Comparand): string {
    if (operator === 'ne') return `NOT ${this.compare(name, equalityOf(operator), value)}`;
    // RFC 7643 §2.4: the address of the account is the primary one.
    if (name === 'primary') return operator === 'eq' && !flagOperand(value) ? '(true)' : '(false)';
    const column = columnOf(name);
    const is = textMatchOf(operator);
    const wanted = textOperand(value);
    if (!isStorable(wanted)) return '(false)';
    const key = wanted.toLowerCase();
    return is === 'equal' ? `(${column} = ${this.bind(key)})` : `(${column} LIKE ${this.bind(patternOf(is, key))})`;
  }

  private bind(value: string): string {
    const name = `value${++this.count}`;
    this.values[name] = value;
    return `:${name}`;
  }
}

function columnOf(name: string): 'value_key' | 'type_key' {
  if (name === 'value') return 'value_key';
  return name === 'type' ? 'type_key' : notSearchable();
}
