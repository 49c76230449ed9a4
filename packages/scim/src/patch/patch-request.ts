import { DomainError } from 'gatehouse';
import { immutable, invalidPath, invalidSyntax, invalidValue, noTarget } from '../error/scim-error.js';
import type { Filter } from '../filter/filter.js';
import { parsePath } from '../filter/parser.js';
import { isObject, membersOf } from '../resource/read-value.js';
import type { Attribute } from '../schema/attribute.js';
import type { ResourceType, Schema } from '../schema/resource-type.js';

export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MOST_OPERATIONS = 1_000;

export type Op = 'add' | 'replace' | 'remove';
const OPS: readonly Op[] = ['add', 'replace', 'remove'];

/** An operation on one attribute; what it names is declared. */
export interface Operation {
  readonly op: Op;
  readonly attribute: Attribute;
  /** Which values of a multi-valued attribute are meant. */
  readonly filter: Filter | undefined;
  readonly sub: Attribute | undefined;
  /** As it was sent: how it is read depends on the attribute. */
  readonly value: unknown;
}

/** Where an operation applies. */
type Target =
  | Omit<Operation, 'op' | 'value'>
  | { readonly schema: Schema }
  /** What we do not keep: RFC 7643 has it, or a schema that is not ours. */
  | 'ignored';

/**
 * The operations of a PATCH (RFC 7644 §3.5.2), each on one attribute: a value without a path is taken apart. `op` is
 * read regardless of case, since Entra sends `Add`, `Replace` and `Remove`.
 * @throws ScimError
 */
export function readPatch(type: ResourceType, json: unknown): readonly Operation[] {
  if (!isObject(json)) throw invalidSyntax('The body must be a JSON object.');
  const body = membersOf(json);
  const schemas = body.get('schemas') ?? [PATCH_URN];
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_URN))
    throw invalidSyntax(`The schemas of a PATCH contain ${PATCH_URN}.`);
  const operations: unknown = body.get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of at least one operation.');
  if (operations.length > MOST_OPERATIONS)
    throw invalidSyntax(`Operations must be a list of at most ${MOST_OPERATIONS} operations.`);
  return operations.flatMap((operation: unknown) => readOperation(type, operation));
}

function readOperation(type: ResourceType, json: unknown): readonly Operation[] {
  if (!isObject(json)) throw invalidSyntax('An operation must be a JSON object.');
  const operation = membersOf(json);
  const word = operation.get('op');
  const op = OPS.find((one) => typeof word === 'string' && one === word.toLowerCase());
  if (op === undefined) throw invalidSyntax('op must be add, replace or remove.');
  const path = operation.get('path') ?? '';
  if (typeof path !== 'string') throw invalidPath('path must be a text.');
  const value = operation.get('value');
  if (op !== 'remove' && value === undefined) throw invalidValue('value', `is missing, which ${op} needs`);
  if (path !== '') return onTarget(type, op, targetOf(type, path), value);
  // RFC 7644 §3.5.2.2: "If "path" is unspecified, the operation fails with … noTarget."
  if (op === 'remove') throw noTarget('remove needs a path.');
  return onMembers(type, op, value, '');
}

function onTarget(type: ResourceType, op: Op, target: Target, value: unknown): readonly Operation[] {
  if (target === 'ignored') return [];
  if (!('schema' in target)) return [{ op, ...target, value }];
  const { schema } = target;
  if (op !== 'remove') return onMembers(type, op, value, `${schema.urn}:`);
  if (schema === type.schema) throw immutable('The core schema cannot be removed.');
  return [...schema.attributes.values()].map((attribute) => ({
    op,
    attribute,
    filter: undefined,
    sub: undefined,
    value: undefined,
  }));
}

/**
 * RFC 7644 §3.5.2.1 and §3.5.2.3: without a path, the members of the value are the attributes. Entra names
 * sub-attributes with dots there if its flag aadOptscim062020 is set. What is not declared, and what only Gatehouse
 * sets, is ignored as in a PUT: Okta sends the `id` beside a new name.
 */
function onMembers(type: ResourceType, op: Op, value: unknown, prefix: string): readonly Operation[] {
  if (!isObject(value)) throw invalidValue('value', 'must be an object where there is no path');
  return [...membersOf(value)].flatMap(([name, member]) =>
    onTarget(type, op, targetIfAny(type, /^urn:/i.test(name) ? name : prefix + name), member),
  );
}

function targetIfAny(type: ResourceType, path: string): Target {
  try {
    return targetOf(type, path);
  } catch (error) {
    if (error instanceof DomainError) return 'ignored';
    throw error;
  }
}

/** @throws ScimError `invalidPath` for what is not declared (SCM-003); `mutability` for what only Gatehouse sets */
function targetOf(type: ResourceType, text: string): Target {
  const { path, filter } = parsed(text);
  const named = type.find(path.name);
  if (named.is === 'ignored') return 'ignored';
  if (named.is === 'unknown') throw invalidPath(`A ${type.name} has no such attribute.`);
  if (named.is === 'schema') {
    if (path.sub !== undefined || filter)
      throw invalidPath('The URN of a schema stands alone, or before an attribute.');
    return { schema: named.schema };
  }
  const { attribute } = named;
  const sub = path.sub === undefined ? undefined : attribute.subAttributes.get(path.sub.toLowerCase());
  if (path.sub !== undefined && !sub) throw invalidPath(`${attribute.name} has no such sub-attribute.`);
  if (filter && !attribute.isMultiValued) throw invalidPath(`${attribute.name} has one value, which needs no filter.`);
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw immutable(`${sub ? `${attribute.name}.${sub.name}` : attribute.name} is set by Gatehouse alone.`);
  return { attribute, filter, sub };
}

function parsed(text: string): ReturnType<typeof parsePath> {
  try {
    return parsePath(text);
  } catch (error) {
    // Table 9 of RFC 7644 has `invalidFilter` for requests that search; a path that cannot be read is one of its own.
    throw error instanceof DomainError ? invalidPath('The path cannot be read.') : error;
  }
}
