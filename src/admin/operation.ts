import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { DomainError } from '../error/domain-error.js';
import { toErrorBody } from './status/error-body.js';
import { STATUS } from './status/status.js';

export interface OperationFacts {
  /** `VerbNoun` */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly returns: Type;
  /** What it may refuse, beside what every operation may: the examples of the documentation are the very answers. */
  readonly refuses?: readonly DomainError[];
}

/** The name of the schema of `ErrorBody` in openapi.json. */
export const ERROR_SCHEMA = 'Error';

/** As it stands in the documentation; a running service writes its own word (docs/document.ts). */
const DOCUMENTED_WORD = 'service';

/** What the documentation says of an operation. */
export function Operation({ id, summary, description, returns, refuses = [] }: OperationFacts): MethodDecorator {
  return applyDecorators(
    ApiOperation({ operationId: id, summary, ...(description === undefined ? {} : { description }) }),
    ApiOkResponse({ type: returns, description: 'Done.' }),
    ...documentRefusals(refuses),
    ApiResponse({ status: 'default', description: 'Anything unexpected.', content: { 'application/json': { schema: ERROR_REFERENCE, example: DEFECT } } }),
  );
}

/** One response per status, with one example per refusal. */
export function documentRefusals(refusals: readonly DomainError[]): MethodDecorator[] {
  const byStatus = Map.groupBy(refusals, (refusal) => STATUS[refusal.kind].http);
  return [...byStatus].map(([status, errors]) =>
    ApiResponse({
      status,
      description: errors.map((error) => error.message.replaceAll('<', '&lt;')).join(' '), // it is Markdown
      content: {
        'application/json': {
          schema: ERROR_REFERENCE,
          examples: Object.fromEntries(errors.map((error) => [error.reason, { value: toErrorBody(error, DOCUMENTED_WORD) }])),
        },
      },
    }),
  );
}

const ERROR_REFERENCE = { $ref: `#/components/schemas/${ERROR_SCHEMA}` };

const DEFECT = {
  code: STATUS.Internal.code,
  message: 'The service failed. Reference k3VtQ9aX (internal)',
  details: [{ '@type': `type.googleapis.com/${DOCUMENTED_WORD}.v1.ErrorDetail`, id: 'internal', message: 'The service failed. Reference k3VtQ9aX' }],
};
