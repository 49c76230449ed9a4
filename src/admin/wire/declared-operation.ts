import type { DomainError } from '../../error/domain-error.js';
import type { MessageClass } from './field.js';

export interface OperationFacts {
  /** `VerbNoun`, the name of the gRPC operation as well. */
  readonly id: string;
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
  /** What it may refuse, beside what every operation may: the examples of the documentation are the very answers. */
  readonly refuses?: readonly DomainError[];
  /** Since when there is something better; answered as the header `Deprecation` (RFC 9745). */
  readonly deprecated?: Date;
}

const OPERATION = 'gatehouse:operation';

export function declareOperation(facts: OperationFacts): MethodDecorator {
  return (_target, _name, descriptor) => Reflect.defineMetadata(OPERATION, facts, descriptor.value as object);
}

/** What a handler is called, takes and answers; undefined for what is no operation. */
export function operationOf(handler: object): OperationFacts | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationFacts | undefined;
}
