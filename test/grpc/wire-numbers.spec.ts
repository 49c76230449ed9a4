import { getOption, ScalarType, type DescEnum, type DescExtension, type DescField, type DescMessage, type DescMethod, type DescService, type FileRegistry } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { compileProtos } from './generated-client.js';

/** What clients of this wire send and expect, where they have it from others: `name number type`, one after the other. */
interface Facts {
  readonly operations: Readonly<Record<string, { readonly request?: string; readonly response?: string }>>;
  readonly messages: Readonly<Record<string, string>>;
  readonly enums: Readonly<Record<string, string>>;
  /** Of the administrative service. */
  readonly routes: Readonly<Record<string, string>>;
}

interface FieldFact {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly many: boolean;
}

const FACTS = JSON.parse(readFileSync(new URL('./wire-numbers.json', import.meta.url), 'utf8')) as Facts;

const AREAS = ['admin', 'management', 'auth'] as const;

/** Whatever we have beside it begins here, and so is in nobody's way. */
const FIRST_OWN_NUMBER = 100;

/** Of a field that stands in the path alone the name is on no wire. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = { 'admin.GetIDPByID request.id': 'idpId' };

/** Of an export or import: streamed as JSON alone, and no message of gRPC (`operation.streams`). */
const DOCUMENT = 'google.protobuf.Struct';

let registry: FileRegistry;

beforeAll(async () => {
  registry = await compileProtos();
});

describe('The .proto files', () => {
  it.each(Object.keys(FACTS.operations))('have the fields, numbers and types that clients of %s know', (name) => {
    const { request, response } = FACTS.operations[name]!;
    const { input, output } = methodOf(name);
    const seen = new Set<string>();
    expect([
      ...(request === undefined ? [] : differences(`${name} request`, request, input, seen)),
      ...(response === undefined ? [] : differences(`${name} response`, response, output, seen)),
    ]).toEqual([]);
  });

  it('name the paths that clients know', () => {
    const http = registry.getExtension('google.api.http') as DescExtension;
    const routes = Object.keys(FACTS.routes).map((name) => {
      const { pattern } = getOption(methodOf(`admin.${name}`), http) as { pattern: { case: string; value: string } };
      return [name, withoutNames(`${pattern.case.toUpperCase()} ${pattern.value}`)];
    });
    expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(Object.entries(FACTS.routes).map(([name, route]) => [name, withoutNames(route)])));
  });

  it('have the operations of openapi.json, with its paths, and a body where it has one', () => {
    const http = registry.getExtension('google.api.http') as DescExtension;
    const said = AREAS.flatMap((area) => serviceOf(area).methods).map((method) => {
      const { pattern, body } = getOption(method, http) as { pattern: { case: string; value: string }; body: string };
      return `${pattern.case.toUpperCase()} ${withoutNames(pattern.value)} ${body}`.trim();
    });
    expect(said.sort()).toEqual(documented().sort());
  });
});

/** Of openapi.json: `POST /admin/v1/orgs/_search *`, with the star where there is a body. */
function documented(): string[] {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as { paths: Readonly<Record<string, Readonly<Record<string, { requestBody?: object }>>>> };
  const ours = Object.entries(paths).filter(([path]) => AREAS.some((area) => path.startsWith(`/${area}/v1/`)));
  return ours.flatMap(([path, methods]) => Object.entries(methods).map(([method, { requestBody }]) => `${method.toUpperCase()} ${withoutNames(path)} ${requestBody ? '*' : ''}`.trim()));
}

function serviceOf(area: string): DescService {
  const service = registry.getService(`service.${area}.v1.${area.charAt(0).toUpperCase()}${area.slice(1)}Service`);
  if (!service) throw new Error(`There is no service of ${area}.`);
  return service;
}

function methodOf(name: string): DescMethod {
  const [area, method] = name.split('.') as [string, string];
  const found = serviceOf(area).methods.find((one) => one.name === method);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
}

function withoutNames(route: string): string {
  return route.replace(/\{\w+\}/g, '{}');
}

/** `seen`: pairs that were compared already; a message may hold itself. */
function differences(where: string, text: string, message: DescMessage, seen: Set<string>): string[] {
  const facts = factsIn(text);
  const lacking = facts.flatMap((fact) => {
    const at = `${where}.${fact.name}`;
    const field = message.fields.find(({ number }) => number === fact.number);
    if (field?.jsonName !== (NAMED_OTHERWISE[at] ?? fact.name)) return [`${at} ${fact.number} is ${field?.jsonName ?? 'nothing'}`];
    if ((field.fieldKind === 'list') !== fact.many) return [`${at} is ${fact.many ? 'no' : 'a'} list`];
    return differencesOfType(at, fact.type, field, seen);
  });
  const inTheWay = message.fields.filter(({ number, message: part }) => number < FIRST_OWN_NUMBER && part?.typeName !== DOCUMENT && !facts.some((fact) => fact.number === number));
  return [...lacking, ...inTheWay.map(({ jsonName, number }) => `${where}.${jsonName} ${number} is not known`)];
}

function differencesOfType(at: string, type: string, field: DescField, seen: Set<string>): string[] {
  const known = FACTS.messages[type];
  if (known !== undefined && field.message) {
    const pair = `${type} ${field.message.typeName}`;
    return seen.has(pair) ? [] : differences(`${at}<${type}>`, known, field.message, seen.add(pair));
  }
  const values = FACTS.enums[type];
  if (values !== undefined && field.enum) return differencesOfEnum(`${at}<${type}>`, values, field.enum);
  const found = field.message?.typeName ?? field.enum?.typeName ?? ScalarType[field.scalar!].toLowerCase();
  const expected = { timestamp: 'google.protobuf.Timestamp', duration: 'google.protobuf.Duration', struct: 'google.protobuf.Struct' }[type] ?? type;
  return found === expected ? [] : [`${at} is ${found} instead of ${expected}`];
}

function differencesOfEnum(where: string, text: string, found: DescEnum): string[] {
  const facts = new Map(text.split(', ').map((fact) => fact.split(' ') as [string, string]));
  const lacking = [...facts].filter(([name, number]) => found.value[Number(number)]?.name !== name);
  const inTheWay = found.values.filter(({ name, number }) => number < FIRST_OWN_NUMBER && !facts.has(name));
  return [...lacking.map(([name, number]) => `${where} ${name} ${number} is ${found.value[Number(number)]?.name ?? 'nothing'}`), ...inTheWay.map(({ name }) => `${where} ${name} is not known`)];
}

function factsIn(text: string): FieldFact[] {
  return text === '' ? [] : text.split('; ').map((fact) => {
    const [name = '', number = '', type = ''] = fact.split(' ');
    return { name, number: Number(number), type: type.replace('[]', ''), many: type.endsWith('[]') };
  });
}
