import { invalidSyntax, invalidValue } from '../error/scim-error.js';
import type { Attribute } from '../schema/attribute.js';
import type { ResourceType, Schema } from '../schema/resource-type.js';
import { type Complex, Document, isList, isPrimary } from './document.js';
import { isObject, membersOf, readValue } from './read-value.js';

/**
 * The resource of a POST or a PUT. Attributes and schemas that are not declared are ignored, and so is what only
 * Gatehouse sets (RFC 7644 §3.3 and §3.5.1).
 * @throws ScimError
 */
export function readResource(type: ResourceType, json: unknown): Document {
  if (!isObject(json)) throw invalidSyntax('The body must be a JSON object.');
  const members = membersOf(json);
  checkSchemas(type, members.get('schemas'));
  const core = new Map([
    ...type.common.map((one) => [one.name.toLowerCase(), one] as const),
    ...type.schema.attributes,
  ]);
  let document = readMembers(Document.EMPTY, core, members);
  for (const schema of type.extensions) {
    const extension = members.get(schema.urn.toLowerCase());
    if (extension === undefined || extension === null) continue;
    if (!isObject(extension)) throw invalidValue(schema.name, 'must be an object');
    document = readMembers(document, schema.attributes, membersOf(extension));
  }
  return document;
}

/** RFC 7643 §3: a body that names schemas names that of its resource. */
function checkSchemas(type: ResourceType, schemas: unknown): void {
  if (schemas === undefined || schemas === null) return;
  const named: readonly unknown[] = Array.isArray(schemas) ? schemas : [schemas];
  if (named.some((urn) => typeof urn === 'string' && isOf(type.schema, urn))) return;
  throw invalidSyntax(`The schemas of a ${type.name} contain ${type.schema.urn}.`);
}

function isOf(schema: Schema, urn: string): boolean {
  return urn.toLowerCase() === schema.urn.toLowerCase();
}

function readMembers(
  document: Document,
  attributes: ReadonlyMap<string, Attribute>,
  members: ReadonlyMap<string, unknown>,
): Document {
  let read = document;
  for (const [name, json] of members) {
    const attribute = attributes.get(name);
    if (!attribute || attribute.mutability === 'readOnly') continue;
    const value = readValue(attribute, json);
    if (isList(value)) checkPrimary(attribute, value);
    read = read.with(attribute, value);
  }
  return read;
}

/** RFC 7643 §2.4: "The primary attribute value 'true' MUST appear no more than once." */
function checkPrimary(attribute: Attribute, values: readonly Complex[]): void {
  if (!attribute.subAttributes.has('primary')) return;
  if (values.filter((value) => isPrimary(value, attribute)).length > 1)
    throw invalidValue(attribute.name, 'has more than one primary value');
}
