import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ExtCallsInterceptor } from '../../../admin/kit/ext-calls.js';
import { Asking as AskingOfProduct } from '../../../admin/kit/guard/asking.js';
import { Requires as RequiresOfProduct } from '../../../admin/kit/guard/requires.js';
import { OfOrg as OfOrgOfProduct, Operation as OperationOfProduct } from '../../../admin/kit/operation.js';
import { OwnRouteCalls } from '../../../admin/kit/own-route-calls.js';
import type { MessageClass } from '../../../admin/kit/wire/field.js';
import { Message as MessageOfProduct } from '../../../admin/kit/wire/message.js';
import type { DomainError } from '../../../foundation/error/domain-error.js';
import type { AnyPermission } from '../../../user/permission/role.js';

/** An operation of an extension, in JSON, gRPC and the documentation. @public */
export interface ExtOperation {
  /** `VerbNoun`: `ListEmployees`. The name in gRPC; in the OpenAPI document it follows the id of the extension. */
  readonly id: string;
  /** One line that begins with the verb. */
  readonly summary: string;
  readonly description?: string;
  /** The request, if any: fields come from the path, others from the body or, for GET and DELETE, the query. */
  readonly request?: MessageClass;
  /** A complete request, where the examples of the fields do not form a valid one. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly returns: MessageClass;
  /** The refusals that it throws, for the documentation. */
  readonly refuses?: readonly DomainError[];
}

/**
 * Makes a method an operation of the administrative API: validated, written and documented by the fields of its
 * messages. It has 10 s. A `DomainError` that it throws is a refusal; anything else is a defect, and the caller learns
 * no more than its number.
 * @public
 */
export function Operation(operation: ExtOperation): MethodDecorator {
  const { id, summary, description, request, example, returns, refuses } = operation;
  return applyDecorators(
    UseInterceptors(ExtCallsInterceptor), // first, so that the writing of the response is within
    OperationOfProduct({
      id,
      summary,
      returns,
      ofExtension: true,
      ...(description === undefined ? {} : { description }),
      ...(request === undefined ? {} : { request }),
      ...(example === undefined ? {} : { example }),
      ...(refuses === undefined ? {} : { refuses }),
    }),
  );
}

/** Where a route of the extension's own says what it is about. @public */
export interface RequiresOptions {
  /** The parameter of its path that names the organization, in place of the header: `orgId`. */
  readonly org?: string;
}

/**
 * The permission that a route requires. That of an operation is one of the extension; a route of the extension's own
 * may also require one of Gatehouse. Without it the start is refused.
 * @public
 */
export function Requires(permission: string, options: RequiresOptions = {}): MethodDecorator {
  // What is no permission refuses the start: admin/kit/own-routes.ts, ext-routes.ts.
  return applyDecorators(UseInterceptors(OwnRouteCalls), RequiresOfProduct(permission as AnyPermission, options));
}

/** For a controller below `management/v1`: documents the header that names the organization. @public */
export function OfOrg(): ClassDecorator {
  return OfOrgOfProduct();
}

/**
 * The first parameter of an operation, or any of a route of the extension's own behind `Requires`: its `Caller`.
 * @public
 */
export function Asking(): ParameterDecorator {
  return AskingOfProduct();
}

/** The second parameter of an operation that has a request: the request, read and validated. @public */
export function Message(): ParameterDecorator {
  return MessageOfProduct();
}
