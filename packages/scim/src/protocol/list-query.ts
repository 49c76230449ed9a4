import type { IncomingMessage } from 'node:http';
import { invalidSyntax, invalidValue } from '../error/scim-error.js';
import type { Filter } from '../filter/filter.js';
import { parseFilter } from '../filter/parser.js';
import type { AskedAttributes } from '../resource/projection.js';
import { isObject, membersOf } from '../resource/read-value.js';

export const MOST_RESULTS = 200;
const DEFAULT_RESULTS = 100;
const MOST_ATTRIBUTES = 100;
export const SEARCH_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** RFC 7644 §3.4.2: which resources are asked for. Sorting is not offered, and what asks for it is ignored. */
export interface ListQuery extends AskedAttributes {
  readonly filter: Filter | undefined;
  /** From 1. */
  readonly startIndex: number;
  /** 0 asks for the total alone. */
  readonly count: number;
}

/** The parameters of a request. */
export function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/** @throws ScimError */
export function readAsked(query: URLSearchParams): AskedAttributes {
  const names = (name: string): readonly string[] => readNames(textOf(query, name)?.split(','), name);
  return { attributes: names('attributes'), excludedAttributes: names('excludedAttributes') };
}

/** @throws ScimError */
export function readListQuery(query: URLSearchParams): ListQuery {
  return {
    ...readAsked(query),
    ...readRange(textOf(query, 'startIndex'), textOf(query, 'count')),
    filter: readFilter(textOf(query, 'filter')),
  };
}

/** RFC 7644 §3.4.3: the same in the body of a POST. @throws ScimError */
export function readSearch(json: unknown): ListQuery {
  if (!isObject(json)) throw invalidSyntax('The body must be a JSON object.');
  const body = membersOf(json);
  const schemas = body.get('schemas') ?? [SEARCH_URN];
  if (!Array.isArray(schemas) || !schemas.includes(SEARCH_URN))
    throw invalidSyntax(`The schemas of a search contain ${SEARCH_URN}.`);
  const filter = body.get('filter') ?? undefined;
  if (filter !== undefined && typeof filter !== 'string') throw invalidValue('filter', 'must be a text');
  return {
    attributes: readNames(body.get('attributes'), 'attributes'),
    excludedAttributes: readNames(body.get('excludedattributes'), 'excludedAttributes'),
    ...readRange(body.get('startindex'), body.get('count')),
    filter: readFilter(filter),
  };
}

function textOf(query: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) throw invalidValue(name, 'must be sent once');
  return value;
}

function readFilter(text: string | undefined): Filter | undefined {
  return text === undefined || text === '' ? undefined : parseFilter(text);
}

function readNames(names: unknown, name: string): readonly string[] {
  if (names === undefined || names === null) return [];
  const isList = Array.isArray(names) && names.every((one) => typeof one === 'string');
  if (!isList || names.length > MOST_ATTRIBUTES)
    throw invalidValue(name, `must be at most ${MOST_ATTRIBUTES} names of attributes`);
  return names.filter((one) => one !== '');
}

/** RFC 7644 §3.4.2.4: a start below 1 is 1, a negative count is 0, and fewer may be answered than were asked for. */
function readRange(startIndex: unknown, count: unknown): { startIndex: number; count: number } {
  return {
    startIndex: Math.max(1, readWhole(startIndex, 'startIndex') ?? 1),
    count: Math.min(MOST_RESULTS, Math.max(0, readWhole(count, 'count') ?? DEFAULT_RESULTS)),
  };
}

function readWhole(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isWhole = typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,9}$/.test(value));
  const whole = isWhole ? Number(value) : Number.NaN;
  if (!Number.isInteger(whole) || Math.abs(whole) >= 1e9) throw invalidValue(name, 'must be an integer');
  return whole;
}
