import { invalidFilter } from '../error/scim-error.js';
import type { Complex, Simple } from '../resource/document.js';
import type { Attribute } from '../schema/attribute.js';
import type { AttributePath, Comparand, Comparison, Filter } from './filter.js';

/**
 * Whether one value of a multi-valued attribute fulfils the filter between the brackets of a path.
 * @throws ScimError `invalidFilter` for what is no sub-attribute
 */
export function matches(filter: Filter, attribute: Attribute, value: Complex): boolean {
  switch (filter.is) {
    case 'and':
      return filter.filters.every((one) => matches(one, attribute, value));
    case 'or':
      return filter.filters.some((one) => matches(one, attribute, value));
    case 'not':
      return !matches(filter.filter, attribute, value);
    case 'present':
      return value.has(subAt(attribute, filter.path));
    case 'compare': {
      const sub = subAt(attribute, filter.path);
      return compares(sub, value.get(sub), filter.operator, filter.value);
    }
    case 'element':
      throw invalidFilter('A filter of values contains no brackets.');
  }
}

/** The sub-attribute that a name between brackets stands for. @throws ScimError `invalidFilter` */
export function subAt(attribute: Attribute, path: AttributePath): Attribute {
  const sub = path.sub === undefined ? attribute.subAttributes.get(path.name.toLowerCase()) : undefined;
  if (!sub) throw invalidFilter(`The values of ${attribute.name} have no such sub-attribute.`);
  return sub;
}

function compares(sub: Attribute, value: Simple | undefined, operator: Comparison, wanted: Comparand): boolean {
  if (operator === 'ne') return !compares(sub, value, 'eq', wanted);
  // RFC 7643 §2.5: null is the same as no value.
  if (wanted === null) return operator === 'eq' && value === undefined;
  if (typeof value === 'boolean' || sub.type === 'boolean') return operator === 'eq' && value === toFlag(wanted);
  if (value === undefined || typeof wanted !== 'string') return false;
  const [left, right] = sub.isCaseExact ? [value, wanted] : [value.toLowerCase(), wanted.toLowerCase()];
  return comparesText(left, right, operator);
}

function toFlag(wanted: Comparand): boolean | undefined {
  if (typeof wanted === 'boolean') return wanted;
  const word = typeof wanted === 'string' ? wanted.toLowerCase() : '';
  return word === 'true' || (word === 'false' ? false : undefined);
}

/** RFC 7644 §3.4.2.2: the order of texts is lexicographical. */
function comparesText(value: string, wanted: string, operator: Exclude<Comparison, 'ne'>): boolean {
  switch (operator) {
    case 'eq':
      return value === wanted;
    case 'co':
      return value.includes(wanted);
    case 'sw':
      return value.startsWith(wanted);
    case 'ew':
      return value.endsWith(wanted);
    case 'gt':
      return value > wanted;
    case 'ge':
      return value >= wanted;
    case 'lt':
      return value < wanted;
    case 'le':
      return value <= wanted;
  }
}
