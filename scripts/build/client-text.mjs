/*
 * The operations of `gatehouse/client` as TypeScript, made from the OpenAPI document: an entry for each, which is all that there is of it at run
 * time, and the types of what it takes, answers and refuses (docs/adr/0093).
 */

/** Thrown as errors, and so no types of answers. */
const REFUSALS = ['Error', 'OAuthError'];
/** What nearly every operation may refuse: that union has a name. */
const USUAL = [
  'internal',
  'permission.missing',
  'request.invalid',
  'token.dead',
  'token.missing',
  'token.too_many_requests',
];
const HEADER = '// Made from openapi.json by scripts/build/client.mjs.\n\n';

/** The files of src/client/generated, by their names. @returns {Map<string, string>} */
export function clientFiles(api) {
  return new Map([
    ['messages.ts', messagesText(api)],
    ['operations.ts', operationsText(api)],
  ]);
}

function messagesText({ components }) {
  const types = Object.entries(components.schemas)
    .filter(([name]) => !REFUSALS.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const head = comment([schema.description], '');
      return schema.properties
        ? `${head}export interface ${name} ${typeOf(schema, '')}\n`
        : `${head}export type ${name} = ${typeOf(schema, '')};\n`;
    });
  const usual = `/** What nearly every operation may refuse. */\nexport type UsualReason = ${union(USUAL)};\n`;
  return `${HEADER}${[usual, ...types].join('\n')}`;
}

function operationsText(api) {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationText(api, method.toUpperCase(), path, operation)),
  );
  const imports = "import { list, operation } from '../operation.js';\nimport type * as m from './messages.js';\n";
  return `${HEADER}${imports}\n${operations.join('\n')}`;
}

function operationText(api, method, path, operation) {
  const { operationId, summary, description = '', deprecated } = operation;
  const traits = traitsOf(api, method, path, operation);
  const types = [
    inputOf(operation),
    outputOf(operation),
    reasonsOf(operation),
    ...('items' in traits ? [`'${traits.items}'`] : []),
  ];
  const given = Object.entries(traits).map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`);
  const values = [`'${method}'`, `'${path}'`, ...(given.length === 0 ? [] : [`{ ${given.join(', ')} }`])];
  const said = description
    .replace(/(^|\n\n)Next: .*/s, '')
    .replace(/\[(\w+)\]\(#[^)]*\)/g, (_, id) => `\`${functionName(id)}\``);
  const head = comment([`${summary}.`, ...said.split('\n\n'), deprecated ? '@deprecated' : ''], '');
  const call = 'items' in traits ? 'list' : 'operation';
  return `${head}export const ${functionName(operationId)} = /* @__PURE__ */ ${call}<\n  ${types.join(',\n  ')}\n>(${values.join(', ')});\n`;
}

function functionName(operationId) {
  return operationId.charAt(0).toLowerCase() + operationId.slice(1);
}

/** What the client has to know of an operation besides its method and path: `Traits` of src/client/operation.ts. */
function traitsOf(api, method, path, { requestBody, responses, security, 'x-permission': permission = '' }) {
  const [[type = '', body] = []] = Object.entries(requestBody?.content ?? {});
  const reads = method !== 'GET' && (/\/_?search$/.test(path) || permission.endsWith('.read'));
  const sends = /^multipart\//.test(type)
    ? 'file'
    : /form-urlencoded$/.test(type)
      ? 'form'
      : method === 'DELETE' && body
        ? 'json'
        : undefined;
  const isPage = Object.values(responses).some(({ content = {} }) => 'text/html' in content);
  const isOpen = !security.some((one) => 'token' in one || 'oauth2' in one);
  return {
    ...(reads ? { reads: true } : {}),
    ...(sends ? { sends } : {}),
    ...(isPage ? { answers: 'page' } : {}),
    ...(isOpen ? { open: true } : {}),
    ...pagingOf(api, body?.schema, responses['200']?.content?.['application/json']?.schema),
  };
}

/** How an operation pages, if it does. */
function pagingOf(api, request, answer) {
  const members = Object.entries(resolve(api, answer).properties ?? {});
  const lists = members.filter(([, { type }]) => type === 'array');
  if (lists.length !== 1) return {};
  const [[items, { items: entry }]] = lists;
  const asked = Object.entries(resolve(api, request).properties ?? {});
  const page = asked.find(([, schema]) => {
    const { offset, limit } = resolve(api, schema).properties ?? {};
    return offset && limit;
  });
  if (page) return { page: page[0], items };
  const isFollowed = asked.some(([name]) => name === 'position') && 'position' in resolve(api, entry).properties;
  return isFollowed ? { cursor: 'position', items } : {};
}

function resolve({ components }, schema = {}) {
  const ref = refOf(schema);
  return ref === undefined ? schema : components.schemas[ref];
}

function refOf({ $ref, allOf }) {
  return ($ref ?? allOf?.[0].$ref)?.replace(/.*\//, '');
}

/** Path, query and body are members of one object: no operation has one name in two of them. */
function inputOf({ parameters = [], requestBody }) {
  const properties = {};
  const required = [];
  const own = parameters.filter((one) => one.in !== 'header');
  for (const { name, required: isRequired, schema } of own) {
    // A message in the query has its members by their paths: `query.limit`.
    const [part, member] = name.split('.');
    const inner = properties[part]?.properties;
    properties[part] = member === undefined ? schema : { properties: { ...inner, [member]: schema } };
    if (isRequired) required.push(part);
  }
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const names = new Set(Object.keys(properties));
  if (Object.keys(body?.properties ?? {}).some((name) => names.has(name)))
    throw new Error('A name stands for two fields.');
  const types = [
    ...(names.size > 0 ? [typeOf({ properties, required }, '  ', 'm.')] : []),
    ...(body ? [typeOf(body, '  ', 'm.')] : []),
  ];
  return types.length === 0 ? 'unknown' : types.join(' & ');
}

function outputOf({ responses }) {
  const types = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .flatMap(([, { content = { none: {} } }]) => Object.entries(content))
    .map(([type, { schema }]) => {
      if (type === 'application/json') return typeOf(schema, '  ', 'm.');
      if (type === 'text/html') return 'Response';
      if (type === 'none') return 'undefined';
      return type.startsWith('image/') ? 'Blob' : 'string';
    });
  return [...new Set(types)].join(' | ');
}

/** By the examples, whose names they are; OAuth has codes of its own (RFC 6749 §5.2). */
function reasonsOf({ responses }) {
  const contents = Object.entries(responses)
    .filter(([status]) => !/^[23]/.test(status))
    .flatMap(([, { content = {} }]) => Object.values(content));
  const reasons = contents.flatMap(({ schema, examples = {} }) => {
    if (refOf(schema) === 'OAuthError') return Object.values(examples).map(({ value }) => value.error);
    return refOf(schema) === 'Error' ? [...Object.keys(examples), 'internal'] : [];
  });
  const all = [...new Set(reasons)].sort();
  if (all.length === 0) return 'string';
  if (!USUAL.every((reason) => all.includes(reason))) return union(all);
  const others = all.filter((reason) => !USUAL.includes(reason));
  return ['m.UsualReason', ...(others.length > 0 ? [union(others)] : [])].join(' | ');
}

function typeOf(schema, indent, prefix = '') {
  const ref = refOf(schema);
  if (ref !== undefined) return prefix + ref;
  if (schema.enum) return union(schema.enum);
  if (schema.properties) return objectType(schema, indent, prefix);
  if (schema.type === 'array') return `ReadonlyArray<${typeOf(schema.items, indent, prefix)}>`;
  if (schema.type === 'object') {
    const { additionalProperties: values } = schema;
    return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values, indent, prefix) : 'unknown'}>>`;
  }
  if (schema.format === 'binary') return 'Blob';
  return schema.type === 'boolean' ? 'boolean' : /^(integer|number)$/.test(schema.type) ? 'number' : 'string';
}

function objectType({ properties, required = [], additionalProperties }, indent, prefix) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, member]) => {
    const type = typeOf(member, inner, prefix);
    const head = comment([member.description, member.deprecated ? '@deprecated' : ''], inner);
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${head}${inner}readonly ${key}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  const others = additionalProperties ? [`${inner}readonly [member: string]: unknown;\n`] : [];
  return `{\n${[...lines, ...others].join('')}${indent}}`;
}

function union(values) {
  return values.map((value) => `'${value}'`).join(' | ');
}

function comment(paragraphs, indent) {
  const text = paragraphs.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/');
  if (text === '') return '';
  if (!text.includes('\n')) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${text.replace(/^/gm, `${indent} * `).replace(/ +$/gm, '')}\n${indent} */\n`;
}
