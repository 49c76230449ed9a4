import { applyDecorators, SetMetadata, type Type, UseInterceptors } from '@nestjs/common';
import type { ApiResponse } from '@nestjs/swagger';
import type { DomainError } from '../../foundation/error/domain-error.js';
import { type ErrorBody, toErrorBody } from './status/error-body.js';
import { STATUS } from './status/status.js';
import { AnswerWriter } from './wire/answer-writer.js';
import { exampleOf, fieldsOf } from './wire/declared-field.js';
import { declareOperation, type OperationFacts } from './wire/declared-operation.js';
import { documented } from './wire/documentation.js';
import { exampleRefusalOf } from './wire/example-refusal.js';
import type { MessageClass } from './wire/field.js';

/** The name of the schema of `ErrorBody` in openapi.json. */
export const ERROR_SCHEMA = 'Error';

/** The organization of an operation's example; docs/request-places.ts puts it into the header. */
export const EXAMPLE_ORG = 'x-example-org';

/** On a deprecated operation: the id of the one to use instead. */
export const SUPERSEDED_BY = 'x-superseded-by';
/** On an operation of the second generation: the ids of those of the first that do the same. */
export const SAME_AS = 'x-same-as';
/** On an operation under an older name: the page at /docs hides it. */
const FORMER_NAME = 'x-former-name';

/** The word that the documentation contains; a running service replaces it by its own (docs/api-document.ts). */
const DOCUMENTED_WORD = 'service';

/**
 * The name, request and response of an operation of the administrative API, for its protocols and its documentation.
 */
export function Operation(facts: OperationFacts): MethodDecorator {
  const { id, summary, description, request, returns, refuses = [], deprecated, exampleOrg, sameAs } = facts;
  const { formerNameOf, supersededBy = formerNameOf } = facts;
  // Drops the stacks of these errors, which are never thrown: V8 keeps where each was made until its stack is set.
  for (const refusal of refuses) refusal.stack = '';
  const takesSomething = request !== undefined && fieldsOf(request).length > 0;
  return applyDecorators(
    declareOperation(facts),
    UseInterceptors(AnswerWriter),
    documented(({ ApiBody, ApiExtension, ApiOkResponse, ApiOperation }) =>
      applyDecorators(
        ApiOperation({
          operationId: id,
          summary,
          ...(description === undefined ? {} : { description }),
          ...(deprecated ? { deprecated: true } : {}),
        }),
        // The whole message; docs/request-places.ts moves the parameters of path and query there.
        ...(takesSomething
          ? [ApiBody({ type: request as Type, examples: { working: { value: exampleFor(request, facts) } } })]
          : []),
        ...(exampleOrg === undefined ? [] : [ApiExtension(EXAMPLE_ORG, exampleOrg)]),
        ...(supersededBy === undefined ? [] : [ApiExtension(SUPERSEDED_BY, supersededBy)]),
        ...(sameAs === undefined ? [] : [ApiExtension(SAME_AS, sameAs)]),
        ...(formerNameOf === undefined ? [] : [ApiExtension(FORMER_NAME, true)]),
        ApiOkResponse({ type: returns as Type, description: 'Done.' }),
      ),
    ),
    documentRefusals(() => [...invalidFieldOf(request), ...refuses]),
    documentDefects(),
  );
}

/** The refusal of a request with an invalid field, if it has fields. */
function invalidFieldOf(request: MessageClass | undefined): readonly DomainError[] {
  const refusal = request && exampleRefusalOf(request);
  return refusal ? [refusal] : [];
}

function exampleFor(request: MessageClass, { example, exampleWith }: OperationFacts): Record<string, unknown> {
  return { ...(example ?? exampleOf(request)), ...exampleWith };
}

/** The refusals that any operation may return. */
export function documentDefects(): MethodDecorator {
  return documented(({ ApiResponse }) =>
    ApiResponse({
      status: 'default',
      description: 'An unexpected error.',
      headers: RETRY_AFTER,
      content: { 'application/json': { schema: ERROR_REFERENCE, example: DEFECT } },
    }),
  );
}

const OF_ORG = 'gatehouse:of-org';

/** In addition to `Operation`: the call may be about another organization than the caller's own. */
export function OfOrg(): ClassDecorator & MethodDecorator {
  return applyDecorators(
    SetMetadata(OF_ORG, true),
    documented(({ ApiExtension, ApiHeader }) =>
      applyDecorators(
        ApiExtension('x-of-org', true),
        ApiHeader({
          name: `x-${DOCUMENTED_WORD}-orgid`,
          required: false,
          description: "ID of the organization. Defaults to the caller's own.",
        }),
      ),
    ),
  );
}

/** Whether `OfOrg` stands at one of them. */
export function isOfOrg(controller: object, handler: object): boolean {
  return [controller, handler].some((one) => Reflect.getMetadata(OF_ORG, one) === true);
}

type HeadersObject = NonNullable<Extract<Parameters<typeof ApiResponse>[0], { headers?: unknown }>['headers']>;

type Examples = Readonly<Record<string, { readonly value: ErrorBody }>>;

const REFUSALS = 'gatehouse:refusals';

/**
 * One response per status, with one example per refusal, in addition to those of other decorators of the operation.
 * They are made when the document is: 1,800 errors, each with the stack of its place, would take a start 10 ms.
 */
export function documentRefusals(refusals: () => readonly DomainError[]): MethodDecorator {
  return documented(({ ApiResponse }) => {
    const byStatus = Map.groupBy(refusals(), (refusal) => STATUS[refusal.kind].http);
    return applyDecorators(...[...byStatus].map(([status, errors]) => refusalsOf(status, errors, ApiResponse)));
  });
}

function refusalsOf(status: number, errors: readonly DomainError[], respond: typeof ApiResponse): MethodDecorator {
  return (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const earlier = (Reflect.getMetadata(REFUSALS, handler) ?? {}) as Readonly<Record<number, Examples>>;
    const examples = {
      ...earlier[status],
      ...Object.fromEntries(errors.map((error) => [error.reason, { value: toErrorBody(error, DOCUMENTED_WORD) }])),
    };
    Reflect.defineMetadata(REFUSALS, { ...earlier, [status]: examples }, handler);
    respond({
      status,
      description: [...new Set(errors.map(toSentence))].join(' '),
      headers: headersOf(errors),
      content: { 'application/json': { schema: ERROR_REFERENCE, examples } },
    })(target, name, descriptor);
  };
}

/** The headers of refusals, as status/admin-error.filter.ts writes them. */
function headersOf(errors: readonly DomainError[]): HeadersObject {
  return {
    ...(errors.some(({ kind }) => kind === 'Unauthenticated') ? CHALLENGE : {}),
    ...(errors.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined) ? RETRY_AFTER : {}),
  };
}

/** A refusal as a sentence in Markdown. */
function toSentence({ message, reason }: DomainError): string {
  if (reason === 'request.invalid') return 'A field of the request is invalid.';
  return message.replaceAll('<', '&lt;').replace(/[^.!?]$/, '$&.');
}

const ERROR_REFERENCE = { $ref: `#/components/schemas/${ERROR_SCHEMA}` };

/** Headers of many responses, by their names in `components`. */
export const SHARED_HEADERS = {
  Challenge: { description: 'RFC 6750 §3.', required: true, schema: { type: 'string' } },
  Deprecation: {
    description:
      'Since when the operation has been deprecated (RFC 9745). Missing only if the request could not be read.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds until the next attempt.', schema: { type: 'integer' } },
} as const;

const CHALLENGE: HeadersObject = { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } };
const RETRY_AFTER: HeadersObject = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const DEFECT = {
  code: STATUS.Internal.code,
  message: 'The service failed. Reference k3VtQ9aX (internal)',
  details: [
    {
      '@type': `type.googleapis.com/${DOCUMENTED_WORD}.v1.ErrorDetail`,
      id: 'internal',
      message: 'The service failed. Reference k3VtQ9aX',
    },
  ],
};
