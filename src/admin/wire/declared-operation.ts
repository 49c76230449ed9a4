import type { DomainError } from '../../foundation/error/domain-error.js';
import { fieldsOf, type MessageClass } from './field.js';

export interface OperationFacts {
  /** `VerbNoun`, the name of the gRPC operation as well. */
  readonly id: string;
  /** The id of the operation that this is another route of: what `additional_bindings` is in google.api.http. It is no operation of gRPC. */
  readonly binds?: string;
  readonly summary: string;
  readonly description?: string;
  /** What is sent: its fields come from the path, and else from the body or, for GET and DELETE, the query. Absent: nothing. */
  readonly request?: MessageClass;
  /** A request that works as it stands, where the examples of the fields do not make one. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** In which fields the example differs from theirs. */
  readonly exampleWith?: Readonly<Record<string, unknown>>;
  /** The organization of the example's header; else it has none. */
  readonly exampleOrg?: string;
  readonly returns: MessageClass;
  /** It writes its answer piece by piece, or reads its request so as well: its method takes an `Exchange` for what it streams. */
  readonly streams?: 'answer' | 'both';
  /** What it may refuse, beside what every operation may: the examples of the documentation are the very answers. */
  readonly refuses?: readonly DomainError[];
  /** Since when there is something better; answered as the header `Deprecation` (RFC 9745). */
  readonly deprecated?: Date;
}

const OPERATION = 'gatehouse:operation';
const declared: OperationFacts[] = [];

export function declareOperation(facts: OperationFacts): MethodDecorator {
  declared.push(facts);
  return (_target, _name, descriptor) => Reflect.defineMetadata(OPERATION, facts, descriptor.value as object);
}

/** Every operation whose controller is loaded. */
export function declaredOperations(): readonly OperationFacts[] {
  return declared;
}

/** Every message that is answered and never sent, those that others hold among them. */
export function messagesOnlyAnswered(): MessageClass[] {
  const sent = withParts(declared.flatMap(({ request }) => request ?? []));
  return [...withParts(declared.map(({ returns }) => returns))].filter((message) => !sent.has(message));
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

/** What a handler is called, takes and answers; undefined for what is no operation. */
export function operationOf(handler: object): OperationFacts | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationFacts | undefined;
}
