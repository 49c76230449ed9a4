import {
  type ApiDocument,
  type ApiOperation,
  type Content,
  orgHeaderOf,
  type Route,
  routesOf,
  type Schema,
} from './document.js';

/** Stands in a link for the header with the organization (admin/kit/docs-link.ts). */
const ORG = 'x-org';

const MAX_LINK = 8_192;
const MAX_VALUE = 1_000;
const MAX_ENTRIES = 50;

/** What a field cannot show as it is, so that more would be sent than is seen; and remains of broken encodings. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u;
/** In a path these lead to another operation: browsers resolve them. */
const DOTS: ReadonlySet<string> = new Set(['.', '..']);
const INTEGER = /^-?\d{1,15}$/;

/** `#/Users/UnlockUser?id=1&x-org=2` */
const LINK = /^#!?\/?[^/?]*\/([^/?]+)\?(.*)$/s;

type Place = 'path' | 'query' | 'header';

export interface LinkedParameter {
  readonly place: Place;
  readonly name: string;
  /** Empty if the link has a value that cannot be used: nothing else is to be sent in its place. */
  readonly value: string;
}

/** An operation, and what a link fills into its form. */
export interface OperationLink {
  readonly route: Route;
  readonly parameters: readonly LinkedParameter[];
  /** Members that the link names, and the examples of those that are required; undefined if it names none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** What the link fills in, in the words of the form. */
  readonly names: readonly string[];
  /** The values of both. */
  readonly values: readonly unknown[];
}

/**
 * Reads the fragment of an address. Anybody may have made it: it fills in fields that the operation declares, with
 * text, and what it says besides is ignored.
 * @returns undefined if it is no such link
 */
export function readOperationLink(fragment: string, document: ApiDocument): OperationLink | undefined {
  const [, id, query] = LINK.exec(fragment) ?? [];
  const route = routesOf(document).find(({ operation }) => operation.operationId === decoded(id));
  if (!route) return undefined;
  const given = new URLSearchParams(fragment.length > MAX_LINK ? '' : query);
  const parameters = parametersOf(route.operation, given, orgHeaderOf(document));
  const members = membersOf(route.operation, given, document, new Set(parameters.map(({ name }) => name)));
  return {
    route,
    parameters,
    body: members.size === 0 ? undefined : bodyOf(route.operation, members, document),
    values: [...parameters.map(({ value }) => value), ...[...members.values()].flat()],
    names: [...parameters.map(({ place, name }) => (place === 'header' ? 'organization' : name)), ...members.keys()],
  };
}

/** The fragment of an address that opens the operation and fills nothing in. */
export function fragmentOf({ operation: { tags, operationId } }: Route): string {
  return `#/${encodeURIComponent(tags[0] ?? '')}/${encodeURIComponent(operationId)}`;
}

/** @returns undefined if it is no text in the encoding of addresses */
export function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parametersOf(
  { parameters = [] }: ApiOperation,
  given: URLSearchParams,
  orgHeader: string | undefined,
): LinkedParameter[] {
  return parameters.flatMap(({ name, in: place }) => {
    if (place !== 'path' && place !== 'query' && (place !== 'header' || name !== orgHeader)) return [];
    const values = given.getAll(place === 'header' ? ORG : name);
    if (values.length === 0) return [];
    const [value] = values;
    const isUsable = values.length === 1 && isShown(value!) && !(place === 'path' && DOTS.has(value!));
    return [{ place, name, value: isUsable ? value! : '' }];
  });
}

/** The members of the body that the link names; undefined where its value cannot be used. */
function membersOf(
  operation: ApiOperation,
  given: URLSearchParams,
  document: ApiDocument,
  taken: ReadonlySet<string>,
): Map<string, unknown> {
  const { properties = {} } = schemaOfBody(operation, document);
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const values = taken.has(name) ? [] : given.getAll(name);
      return values.length === 0 ? [] : [[name, memberOf(values, wholeOf(schema, document), document)] as const];
    }),
  );
}

function memberOf(values: readonly string[], schema: Schema, document: ApiDocument): unknown {
  if (schema.type === 'array') {
    const entries = values.map((one) => scalarOf(one, wholeOf(schema.items ?? {}, document)));
    return entries.length > MAX_ENTRIES || entries.includes(undefined) ? undefined : entries;
  }
  return values.length === 1 ? scalarOf(values[0]!, schema) : undefined;
}

function scalarOf(text: string, { type, enum: choices }: Schema): unknown {
  if (!isShown(text)) return undefined;
  if (type === 'string') return choices && !choices.includes(text) ? undefined : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined);
  if (type === 'integer') return INTEGER.test(text) ? Number(text) : undefined;
  return undefined;
}

function bodyOf(
  operation: ApiOperation,
  members: ReadonlyMap<string, unknown>,
  document: ApiDocument,
): Readonly<Record<string, unknown>> {
  const { required = [] } = schemaOfBody(operation, document);
  const example = (contentOf(operation)?.example ?? {}) as Readonly<Record<string, unknown>>;
  const others = required.filter((name) => !members.has(name) && Object.hasOwn(example, name));
  const usable = [...members].filter(([, value]) => value !== undefined);
  return Object.fromEntries([...usable, ...others.map((name) => [name, example[name]] as const)]);
}

function schemaOfBody(operation: ApiOperation, document: ApiDocument): Schema {
  return wholeOf(contentOf(operation)?.schema ?? {}, document);
}

function contentOf({ requestBody }: ApiOperation): Content | undefined {
  return requestBody?.content['application/json'];
}

/** What a reference refers to. */
function wholeOf(schema: Schema, { components }: ApiDocument): Schema {
  const name = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

function isShown(text: string): boolean {
  return text.length <= MAX_VALUE && !NOT_SHOWN.test(text);
}
