import type { DomainError } from '../../../foundation/error/domain-error.js';
import { fieldsOf } from './declared-field.js';
import type { MessageClass } from './field.js';

export interface OperationFacts {
  /** `VerbNoun`, the name of the gRPC operation as well. */
  readonly id: string;
  /**
   * The id of the operation that this is another route of: `additional_bindings` in google.api.http. Not an operation
   * of gRPC.
   */
  readonly binds?: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The request: its fields come from the path, the others from the body or, for GET and DELETE, the query. Absent: no
   * request.
   */
  readonly request?: MessageClass;
  /**
   * A member that the body has only if the caller took the last word of this path for the key of an entry: such a
   * request is refused.
   */
  readonly elsewhere?: string;
  /** Whether absent fields are switched off or emptied, as by each PUT: misspelt ones are refused (ADM-099). */
  readonly sets?: boolean;
  /** A complete request, where the examples of the fields do not form a valid one. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The fields in which the example differs from theirs. */
  readonly exampleWith?: Readonly<Record<string, unknown>>;
  /** The organization in the header of the example; if absent, there is no header. */
  readonly exampleOrg?: string;
  readonly returns: MessageClass;
  /** Whether it streams its response, or its request as well; its method gets an `Exchange` for that. */
  readonly streams?: 'answer' | 'both';
  /** Refusals besides those of every operation: the examples of the documentation are created from them. */
  readonly refuses?: readonly DomainError[];
  /** Since when the operation is deprecated; sent as the header `Deprecation` (RFC 9745). */
  readonly deprecated?: Date;
  /** The id of the operation to use instead of a deprecated one. */
  readonly supersededBy?: string;
  /**
   * The id of the operation that this is under an older or misspelt name. Served and documented, but the page at /docs
   * hides it.
   */
  readonly formerNameOf?: string;
  /** For the second generation: the ids of the operations of the first that do the same. */
  readonly sameAs?: readonly string[];
  /** Whether the operation belongs to an extension, which has documents of its own. */
  readonly ofExtension?: boolean;
}

const OPERATION = 'gatehouse:operation';
const declared: OperationFacts[] = [];

export function declareOperation(facts: OperationFacts): MethodDecorator {
  if (facts.ofExtension !== true) declared.push(facts);
  return (_target, _name, descriptor) => Reflect.defineMetadata(OPERATION, facts, descriptor.value as object);
}

/** Every operation of the product whose controller is loaded. */
export function declaredOperations(): readonly OperationFacts[] {
  return declared;
}

/** Every message of these operations, including nested ones. */
export function messagesOf(operations: readonly OperationFacts[]): MessageClass[] {
  return [...withParts(operations.flatMap(({ request, returns }) => [...(request ? [request] : []), returns]))];
}

/** Every message of these operations that only occurs in responses, including nested ones. */
export function messagesOnlyAnswered(operations: readonly OperationFacts[]): MessageClass[] {
  const sent = withParts(operations.flatMap(({ request }) => request ?? []));
  return [...withParts(operations.map(({ returns }) => returns))].filter((message) => !sent.has(message));
}

function withParts(messages: readonly MessageClass[], found = new Set<MessageClass>()): Set<MessageClass> {
  for (const message of messages) {
    if (found.has(message)) continue;
    found.add(message);
    withParts(
      fieldsOf(message).flatMap(({ part }) => part?.() ?? []),
      found,
    );
  }
  return found;
}

/** The declaration of a handler; undefined if it is not an operation. */
export function operationOf(handler: object): OperationFacts | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationFacts | undefined;
}
