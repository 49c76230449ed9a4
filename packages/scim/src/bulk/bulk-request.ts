import { invalidSyntax, invalidValue, ScimError } from '../error/scim-error.js';
import { isObject, membersOf } from '../resource/read-value.js';

export const BULK_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const BULK_RESPONSE_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
export const MOST_OPERATIONS = 100;
export const MOST_BYTES = 1_048_576;

export type BulkMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const METHODS: readonly BulkMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** RFC 7644 §3.7. */
export interface BulkOperation {
  readonly method: BulkMethod;
  /** The name of what a POST makes, within the request. */
  readonly bulkId: string | undefined;
  readonly version: string | undefined;
  /** The words of the path: `Users`, and the ID where there is one. */
  readonly endpoint: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

export interface BulkRequest {
  /** After how many errors the rest is left out; undefined for never. */
  readonly failOnErrors: number | undefined;
  readonly operations: readonly BulkOperation[];
}

/** @throws ScimError, 413 for too many operations (RFC 7644 §3.7.4) */
export function readBulk(json: unknown): BulkRequest {
  if (!isObject(json)) throw invalidSyntax('The body must be a JSON object.');
  const body = membersOf(json);
  const schemas = body.get('schemas') ?? [BULK_REQUEST_URN];
  if (!Array.isArray(schemas) || !schemas.includes(BULK_REQUEST_URN))
    throw invalidSyntax(`The schemas of a bulk request contain ${BULK_REQUEST_URN}.`);
  const operations: unknown = body.get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of at least one operation.');
  if (operations.length > MOST_OPERATIONS)
    throw new ScimError(
      413,
      'tooMany',
      'InvalidArgument',
      'scim.bulk_too_large',
      `A bulk request has at most ${MOST_OPERATIONS} operations.`,
    );
  const read = operations.map(readOperation);
  const named = read.flatMap(({ bulkId }) => bulkId ?? []);
  if (new Set(named).size < named.length) throw invalidSyntax('Two operations have one bulkId.');
  return { failOnErrors: readFailOnErrors(body.get('failonerrors')), operations: read };
}

function readFailOnErrors(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  throw invalidValue('failOnErrors', 'must be an integer from 1');
}

function readOperation(json: unknown): BulkOperation {
  if (!isObject(json)) throw invalidSyntax('An operation must be a JSON object.');
  const members = membersOf(json);
  const word = members.get('method');
  const method = METHODS.find((one) => typeof word === 'string' && one === word.toUpperCase());
  if (method === undefined) throw invalidSyntax('method must be POST, PUT, PATCH or DELETE.');
  const bulkId = textAt(members, 'bulkId');
  if (method === 'POST' && bulkId === undefined) throw invalidSyntax('A POST needs a bulkId.');
  const [, endpoint, id] = /^\/?(Users|Groups)(?:\/([^/]+))?$/.exec(textAt(members, 'path') ?? '') ?? [];
  if (endpoint === undefined || (method === 'POST') !== (id === undefined))
    throw invalidSyntax('path must be /Users or /Groups for a POST, and otherwise have the ID behind it.');
  return { method, bulkId, version: textAt(members, 'version'), endpoint, id, data: members.get('data') };
}

function textAt(members: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = members.get(name.toLowerCase());
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidSyntax(`${name} must be a text.`);
  return value;
}
