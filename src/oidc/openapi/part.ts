import type { OpenAPIObject } from '@nestjs/swagger';
import { type OAuthError, refusal } from '../oidc.errors.js';
import { statusOf } from '../oidc-error.filter.js';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
type Response = Extract<Responses[string], { description: string }>;
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;
type ParameterList = NonNullable<Operation['parameters']>;
export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Exclude<Schemas[string], { $ref: string }>;

/** The part of the document for one endpoint. */
export interface Part {
  readonly paths: OpenAPIObject['paths'];
}

/** A parameter of a query or form. */
export interface Parameter {
  readonly description: string;
  readonly required?: boolean;
  readonly example?: string;
  readonly oneOf?: readonly string[];
  readonly pattern?: string;
}

export type Parameters = Readonly<Record<string, Parameter>>;

const FORM = 'application/x-www-form-urlencoded';

/** Protocol endpoints read forms and nothing else (RFC 6749 Appendix B). */
export function formOf(
  parameters: Parameters,
  examples?: Readonly<Record<string, Readonly<Record<string, string>>>>,
): RequestBody {
  const required = Object.entries(parameters)
    .filter(([, { required: isRequired }]) => isRequired)
    .map(([name]) => name);
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, propertyOf(parameter)]),
  );
  const named = examples && Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return {
    required: true,
    content: { [FORM]: { schema: { type: 'object', required, properties }, ...(named ? { examples: named } : {}) } },
  };
}

export function queryOf(parameters: Parameters): ParameterList {
  return Object.entries(parameters).map(([name, { description, example, required = false, ...rest }]) => ({
    name,
    in: 'query',
    required,
    description,
    schema: schemaOf(rest),
    ...(example === undefined ? {} : { example }),
  }));
}

/** RFC 9449 §4.1. */
export const PROOF_HEADER: ParameterList = [
  {
    name: 'DPoP',
    in: 'header',
    required: false,
    description:
      'A proof of a key of the client, made for this request (RFC 9449): tokens are then bound to that key. Needed where the application has `dpopBoundAccessTokens`, and wherever a bound token is used.',
    schema: { type: 'string' },
  },
];

/** Without an example, Swagger UI fills a field with a placeholder and sends that. */
function propertyOf({ description, example, oneOf, pattern }: Parameter): Schema {
  return {
    ...schemaOf({ oneOf, pattern }),
    description,
    ...(oneOf === undefined || example !== undefined ? { example: example ?? '' } : {}),
  };
}

function schemaOf({
  oneOf,
  pattern,
}: {
  readonly oneOf?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
}): Schema {
  return {
    type: 'string',
    ...(oneOf === undefined ? {} : { enum: [...oneOf] }),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

/** RFC 6749 §5.2, RFC 6750 §3. */
const CHALLENGE = {
  'WWW-Authenticate': {
    description: 'Present if the Authorization header was used or is required.',
    schema: { type: 'string' as const },
  },
};

/** RFC 6750 §3.1: an endpoint that takes bearer tokens sends a challenge with each refusal. */
export function challenging(responses: Responses): Responses {
  const result: Responses = {};
  for (const [status, response] of Object.entries(responses)) {
    if (!response || '$ref' in response || status >= '500') result[status] = response;
    else result[status] = { ...response, headers: { ...response.headers, ...CHALLENGE } };
  }
  return result;
}

/** Responses of endpoints that refuse in JSON: one response per status, with one example per refusal. */
export function refusals(...errors: readonly OAuthError[]): Responses {
  const byStatus = Map.groupBy(errors, statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      String(status),
      {
        description: [...new Set(ofStatus.map((error) => `\`${error.error}\``))].join(', '),
        ...(status === 401 ? { headers: CHALLENGE } : {}),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/OAuthError' },
            examples: Object.fromEntries(
              ofStatus.map((error) => [
                error.reason,
                { value: { error: error.error, error_description: error.message } },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

export function jsonOf(description: string, schemaName: string, example: unknown): Response {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName}` }, example } },
  };
}

export function pageOf(description: string): Response {
  return { description, content: { 'text/html': { schema: { type: 'string' } } } };
}

function refusedInJson(error: string, error_description: string): NonNullable<Response['content']> {
  const schema = { $ref: '#/components/schemas/OAuthError' };
  return { 'application/json': { schema, example: { error, error_description } } };
}

export const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** RFC 6749 §5.2: 400, like every other mistake of the request. */
export function notAForm(): OAuthError {
  return refusal.bodyUnreadable(`The body must be ${FORM} in UTF-8.`, undefined);
}

/** RFC 9110 §15.5.14 and RFC 6585 §4: further responses of every endpoint that reads a form and refuses in JSON. */
export const FORM_LIMITS: Responses = {
  '413': { description: 'The body is too large.', content: refusedInJson('invalid_request', 'The body is too large.') },
  '429': {
    description: 'Too many failed attempts.',
    headers: RETRY_AFTER,
    content: refusedInJson('temporarily_unavailable', 'Too many failed attempts. Try again later.'),
  },
  '503': {
    description: 'The database is not available.',
    headers: RETRY_AFTER,
    content: refusedInJson('temporarily_unavailable', 'The service cannot answer right now.'),
  },
};

/** Like `FORM_LIMITS`, for endpoints that browsers visit, which refuse with a page. */
export const PAGE_LIMITS: Responses = {
  '413': pageOf('The form is too large.'),
  '503': { ...pageOf('The database is not available.'), headers: RETRY_AFTER },
};

/** RFC 9110 §15.4.3: a redirect to the address in the header. */
export function redirectOf(description: string): Response {
  return { description, headers: { Location: { required: true, schema: { type: 'string' } } } };
}
