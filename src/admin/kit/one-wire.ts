import type { Type } from '@nestjs/common';
import { classNameOf } from '../../foundation/extension/global-reach.js';
import { type Around, aroundOf, parametersOf } from '../../foundation/http/nest-metadata.js';
import { ExtCallsInterceptor } from './ext-calls.js';
import { AdminGuard } from './guard/admin.guard.js';
import { actorOf } from './guard/asking.js';
import { OwnRouteCalls } from './own-route-calls.js';
import { AnswerWriter } from './wire/answer-writer.js';
import { readRequest } from './wire/message.js';

const REFUSE = 'Remove it, and let the operation check that itself and throw a DomainError';

/** Decorators of what Nest runs around a handler of HTTP. A call over gRPC reaches the operation without any of it. */
const AROUND: ReadonlyArray<readonly [decorator: Around, remedy: string]> = [
  ['UseGuards', `${REFUSE}, or declare a permission for it.`],
  ['UseInterceptors', 'Remove it, and let the operation do that itself.'],
  ['UsePipes', `${REFUSE}; its request is read by the fields of the message.`],
  ['UseFilters', 'Remove it, and let the operation throw a DomainError.'],
];

/** The classes by which operations do in HTTP what a call over gRPC does by itself. */
const OF_THE_PRODUCT: ReadonlySet<unknown> = new Set([AdminGuard, ExtCallsInterceptor, AnswerWriter, OwnRouteCalls]);

/** The parameters that a call over gRPC passes to an operation, in this order. */
const PARAMETERS: readonly unknown[] = [actorOf, readRequest];

/**
 * The decorators around the handlers of a class or a method that would apply to JSON and not to gRPC, each in a
 * sentence with its remedy.
 */
export function aroundMistakes(target: object, who: string): string[] {
  return AROUND.flatMap(([decorator, remedy]) =>
    aroundOf(target, decorator)
      .filter((one) => !OF_THE_PRODUCT.has(one))
      .map(
        (one) =>
          `${who} has @${decorator}(${classNameOf(one)}), which would hold in JSON, and not for calls over gRPC. ${remedy}`,
      ),
  );
}

/** Like `aroundMistakes`, for the parameters of a handler: a call over gRPC has no HTTP request to take them from. */
export function parameterMistakes(controller: Type<unknown>, method: string, route: string): string[] {
  const declared = parametersOf(controller, method);
  const { length } = (controller.prototype as Readonly<Record<string, { readonly length: number }>>)[method]!;
  const count = Math.max(length, ...declared.map(({ index }) => index + 1));
  const isRight = Array.from(
    { length: count },
    (_, place) =>
      PARAMETERS[place] !== undefined &&
      declared.some(({ index, factory }) => index === place && factory === PARAMETERS[place]),
  );
  return isRight.every(Boolean)
    ? []
    : [
        `${route} has a parameter ${isRight.indexOf(false) + 1} that a call over gRPC could not fill. The first one is @Asking(), the second one @Message(), and there are no others.`,
      ];
}
