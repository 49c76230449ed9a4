import type { Attribute } from '../schema/attribute.js';
import type { ResourceType } from '../schema/resource-type.js';
import { type Complex, type Document, isList, type Simple, type Value } from './document.js';
import type { Projection } from './projection.js';

type Json = Simple | number | JsonObject | readonly JsonObject[] | readonly string[];
/** A resource or a message, as it is sent. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The resource with what the answer shall have of it; its names are those of the declaration. */
export function writeResource(type: ResourceType, document: Document, projection: Projection): JsonObject {
  const core = [...type.common, ...type.schema.attributes.values()];
  const extensions = type.extensions.flatMap((schema) => {
    const written = writeMembers(document, [...schema.attributes.values()], projection);
    return Object.keys(written).length === 0 ? [] : [[schema.urn, written] as const];
  });
  return {
    schemas: [type.schema.urn, ...extensions.map(([urn]) => urn)],
    ...writeMembers(document, core, projection),
    ...Object.fromEntries(extensions),
  };
}

function writeMembers(document: Document, attributes: readonly Attribute[], projection: Projection): JsonObject {
  return Object.fromEntries(
    attributes.flatMap((attribute) => {
      const value = projection.shows(attribute) ? document.get(attribute) : undefined;
      return value === undefined ? [] : [[attribute.name, writeValue(attribute, value, projection)] as const];
    }),
  );
}

function writeValue(attribute: Attribute, value: Value, projection: Projection): Json {
  const write = (one: Complex): JsonObject => writeComplex(attribute, one, projection);
  if (isList(value)) return value.map(write);
  return typeof value === 'object' ? write(value) : value;
}

function writeComplex(attribute: Attribute, value: Complex, projection: Projection): JsonObject {
  return Object.fromEntries(
    [...value].flatMap(([part, simple]) =>
      projection.showsPart(attribute, part) ? [[part.name, simple] as const] : [],
    ),
  );
}
