import type { ApiDocument, ApiOperation, Route } from './document.js';

type Values = Readonly<Record<string, unknown>>;

/** What a call consists of, as `gatehouse/client` takes it. */
export interface Called {
  readonly input: Values;
  readonly organization?: string | undefined;
}

interface Sent {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const WIDTH = 100;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * A program that calls the operation with `gatehouse/client`. The token is not in it: programs end up in repositories.
 */
export function toTypeScript({ method, path, operation }: Route, url: string, { input, organization }: Called): string {
  const name = operation.operationId.charAt(0).toLowerCase() + operation.operationId.slice(1);
  const isFile = Object.values(input).some((value) => value instanceof FileOf);
  // Routes of extensions are not among the operations of the package.
  const isOwn = /\/ext\//.test(path);
  const options = organization === undefined ? [] : [literal({ organization }, '')];
  const values = Object.keys(input).length === 0 && options.length === 0 ? [] : [literal(input, '')];
  return [
    ...(isFile ? ["import { openAsBlob } from 'node:fs';"] : []),
    `import { connect, ${isOwn ? 'operation' : name} } from 'gatehouse/client';`,
    '',
    `const gatehouse = connect({ url: ${literal(url, '')}, token: process.env['TOKEN'] });`,
    ...(isOwn ? [`const ${name} = operation<object, unknown>('${method.toUpperCase()}', '${path}');`] : []),
    `console.log(await ${name}(${['gatehouse', ...values, ...options].join(', ')}));`,
  ].join('\n');
}

/** The call of the examples in the document. */
export function exampleCall({ components }: Pick<ApiDocument, 'components'>, operation: ApiOperation): Called {
  const input: Record<string, unknown> = {};
  let organization: string | undefined;
  for (const { name, in: place, required, example, schema } of operation.parameters ?? []) {
    const value = example ?? schema?.example;
    if (place === 'header') organization = name.endsWith('-orgid') ? (example as string | undefined) : organization;
    // What need not be sent is not in an example, unless it says so.
    else if (value !== undefined || required) put(input, name, typed(value ?? schema?.enum?.[0] ?? '', schema?.type));
  }
  return { input: { ...input, ...exampleBody(operation, components) }, organization };
}

function exampleBody({ requestBody }: ApiOperation, { schemas }: ApiDocument['components']): Values {
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || !content) return {};
  if (type.startsWith('multipart/')) return { file: new FileOf('logo.png') };
  const example = content.example ?? Object.values(content.examples ?? {})[0]?.value;
  if (example !== undefined) return example as Values;
  const { $ref = '' } = content.schema ?? {};
  const { required = [], properties = {} } = schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? content.schema ?? {};
  return Object.fromEntries(
    required.map((name) => {
      const { example: one, type: kind, enum: [first] = [] } = properties[name] ?? {};
      return [name, one ?? first ?? (kind === 'array' ? [] : '')];
    }),
  );
}

/** The call that a form has sent. */
export function callOf({ path, operation }: Route, { url, headers = {}, body }: Sent): Called {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const values = new RegExp(`${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)')}$`).exec(
    pathname,
  );
  const input: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) input[name] = decodeURIComponent(values?.[index + 1] ?? '');
  for (const { name, in: place, schema } of operation.parameters ?? [])
    if (place === 'query' && searchParams.has(name)) put(input, name, typed(searchParams.get(name)!, schema?.type));
  const org = Object.entries(headers).find(([name, value]) => name.toLowerCase().endsWith('-orgid') && value !== '');
  return { input: { ...input, ...sentBody(body, headers) }, organization: org?.[1] };
}

function sentBody(body: unknown, headers: Readonly<Record<string, string>>): Values {
  if (body === undefined || body === null || body === '') return {};
  if (typeof body !== 'string') return { file: new FileOf('file') };
  if (Object.values(headers).some((value) => value.includes('form-urlencoded')))
    return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body) as Values;
  } catch {
    return {};
  }
}

/** A parameter with a dot is a member of a message. */
function put(input: Record<string, unknown>, name: string, value: unknown): void {
  const [part, member] = name.split('.') as [string, string?];
  input[part] = member === undefined ? value : { ...(input[part] as Values | undefined), [member]: value };
}

function typed(value: unknown, type: string | undefined): unknown {
  if (type === 'boolean') return String(value) === 'true';
  return type === 'integer' || type === 'number' ? Number(value) : value;
}

/** Stands for the content of a file. */
class FileOf {
  constructor(readonly name: string) {}
}

/** A value as source, on one line if it fits. */
function literal(value: unknown, indent: string): string {
  if (value instanceof FileOf) return `await openAsBlob(${literal(value.name, '')})`;
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(
        ([name, one]) => `${NAME.test(name) ? name : literal(name, '')}: ${literal(one, inner)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
