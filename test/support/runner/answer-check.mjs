import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
const METHODS = ['get', 'post', 'put', 'delete', 'patch'];
/** A header of this list that is answered is documented as well: generated clients read them. */
const SAID_HEADERS = ['location', 'retry-after', 'www-authenticate', 'deprecation'];

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats.default(ajv);
for (const format of ['binary', 'uint64', 'email']) ajv.addFormat(format, true);

const routes = Object.entries(document.paths).map(([path, item]) => ({
  path,
  item,
  pattern: new RegExp(
    `^${path
      .split(/\{[^}]+\}/)
      .map((text) => RegExp.escape(text))
      .join('[^/]+')}$`,
  ),
  placeholders: path.split('{').length,
}));
const validators = new Map();

/**
 * What the OpenAPI document says otherwise about an answer of the service: its status, its content type, the headers of the list
 * above, and the members of its body. Empty where it agrees, and for requests that it does not describe.
 */
export function contradictionsOf({ method, path, status, headers, text }) {
  const operation = findOperation(method, path.split('?')[0]);
  if (!operation) return [];
  const response = operation.responses[status] ?? operation.responses.default;
  if (!response) return [`status ${status} is not documented`];
  const bodyless = method === 'HEAD' || text === '';
  return [...contradictingHeaders(response, headers), ...(bodyless ? [] : contradictingBody(response, headers, text))];
}

function findOperation(method, path) {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  if (!METHODS.includes(verb)) return undefined;
  const [route] = routes
    .filter(({ pattern, item }) => pattern.test(path) && item[verb])
    .sort((one, other) => one.placeholders - other.placeholders);
  return route?.item[verb];
}

function contradictingHeaders({ headers: documented = {} }, headers) {
  const names = Object.keys(documented).map((name) => name.toLowerCase());
  const required = Object.entries(documented)
    .filter(
      ([, header]) => (header.$ref ? document.components.headers[header.$ref.split('/').at(-1)] : header).required,
    )
    .map(([name]) => name.toLowerCase());
  return [
    ...required.filter((name) => headers[name] === undefined).map((name) => `the header ${name} is missing`),
    ...SAID_HEADERS.filter((name) => headers[name] !== undefined && !names.includes(name)).map(
      (name) => `the header ${name} is not documented`,
    ),
  ];
}

function contradictingBody({ content = {} }, headers, text) {
  const type = (headers['content-type'] ?? '').split(';')[0].trim();
  const media = content[type];
  if (!media)
    return [`content type ${type || 'none'} is not documented (${Object.keys(content).join(', ') || 'no body'})`];
  if (!media.schema || !/json$/.test(type)) return [];
  const validate = validatorOf(media.schema);
  const value = JSON.parse(text);
  if (validate(value)) return [];
  return validate.errors.map(
    ({ instancePath, message, params }) => `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
  );
}

function validatorOf(schema) {
  const key = JSON.stringify(schema);
  if (!validators.has(key)) {
    validators.set(key, ajv.compile(toShared(closed(schema))));
  }
  return validators.get(key);
}

/** References lead to one schema of its own for each component, which is compiled once. */
function toShared(schema) {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"component:'));
}

for (const [name, schema] of Object.entries(document.components.schemas)) {
  ajv.addSchema(toShared(closed(schema)), `component:${name}`);
}

/** The same schema without members that it does not name. OpenAPI 3.0 leaves them open; our answers hold what they document. */
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'example' || name === 'enum' ? value : closed(value),
    ]),
  );
  if (inner.type === 'object' && inner.properties && inner.additionalProperties === undefined)
    return { ...inner, additionalProperties: false };
  return inner;
}
