import type { OpenAPIObject } from '@nestjs/swagger';
import type { OAuthError } from '../oidc.errors.js';
import { statusOf } from '../oidc-error.filter.js';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
type Response = Extract<Responses[string], { description: string }>;
type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;
type ParameterList = NonNullable<Operation['parameters']>;
export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Exclude<Schemas[string], { $ref: string }>;

/** What one endpoint adds to the document. */
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
export function formOf(parameters: Parameters, examples?: Readonly<Record<string, Readonly<Record<string, string>>>>): RequestBody {
  const required = Object.entries(parameters).filter(([, { required: isRequired }]) => isRequired).map(([name]) => name);
  const properties = Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, propertyOf(parameter)]));
  const named = examples && Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return {
    required: true,
    content: { [FORM]: { schema: { type: 'object', required, properties }, ...(named ? { examples: named } : {}) } },
  };
}

export function queryOf(parameters: Parameters): ParameterList {
  return Object.entries(parameters).map(([name, { description, example, required = false, ...rest }]) => ({
    name, in: 'query', required, description, schema: schemaOf(rest), ...(example === undefined ? {} : { example }),
  }));
}

/** Without an example Swagger UI fills a field with a word of its own, and sends that. */
function propertyOf({ description, example, oneOf, pattern }: Parameter): Schema {
  return { ...schemaOf({ oneOf, pattern }), description, ...(oneOf === undefined || example !== undefined ? { example: example ?? '' } : {}) };
}

function schemaOf({ oneOf, pattern }: { readonly oneOf?: readonly string[] | undefined; readonly pattern?: string | undefined }): Schema {
  return { type: 'string', ...(oneOf === undefined ? {} : { enum: [...oneOf] }), ...(pattern === undefined ? {} : { pattern }) };
}

/** Answers of endpoints that refuse in JSON: one response per status, with one example per refusal. */
export function refusals(...errors: readonly OAuthError[]): Responses {
  const byStatus = Map.groupBy(errors, statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      String(status),
      {
        description: [...new Set(ofStatus.map((error) => `\`${error.error}\``))].join(', '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/OAuthError' },
            examples: Object.fromEntries(ofStatus.map((error) => [error.reason, { value: { error: error.error, error_description: error.message } }])),
          },
        },
      },
    ]),
  );
}

export function jsonOf(description: string, schemaName: string, example: unknown): Response {
  return { description, content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName}` }, example } } };
}

export function pageOf(description: string): Response {
  return { description, content: { 'text/html': { schema: { type: 'string' } } } };
}

/** RFC 9110 §15.5.14, §15.5.16 and RFC 6585 §4: what any endpoint that reads a form may answer besides. */
export const FORM_LIMITS: Responses = {
  '413': { description: 'The body is too large.' },
  '415': { description: `The body is not ${FORM}.` },
  '429': { description: 'Too many failed attempts; `Retry-After` says when to try again.' },
  '503': { description: 'The database does not answer; `Retry-After` says when to try again.' },
};
