import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DomainError, type Kind } from '../../foundation/error/domain-error.js';
import { PartRecord } from '../../foundation/extension/part-record.js';
import { Logger } from '../../foundation/log/logger.js';
import { asExtension } from '../../foundation/log/running-extension.js';
import { Timeouts } from '../../foundation/time/timeouts.js';
import { operationOf } from './wire/declared-operation.js';

/** The name under which operations of extensions are counted, as if they filled a seam. */
export const ROUTES = 'ROUTES';

/** Names a call in the log and in metrics. */
interface ExtCall {
  /** The id of the extension. */
  readonly owner: string;
  /** The id of the operation, or the method of the controller. */
  readonly operation: string;
  /** How long it may take, unless that is the limit of operations. */
  readonly limitSeconds?: number | undefined;
}

/**
 * The kind of our vocabulary, and a word for the reason, for Nest's exceptions by their status; other mistakes of the
 * caller are FailedPrecondition.
 */
const REFUSALS: ReadonlyMap<number, readonly [kind: Kind, word: string]> = new Map([
  [400, ['InvalidArgument', 'invalid']],
  [401, ['Unauthenticated', 'unauthenticated']],
  [403, ['PermissionDenied', 'denied']],
  [404, ['NotFound', 'not_found']],
  [409, ['AlreadyExists', 'conflict']],
  [429, ['ResourceExhausted', 'too_many']],
  [503, ['Unavailable', 'unavailable']],
]);

/** Calls operations of extensions: within a time limit, and with a line in the log that names what failed. */
@Injectable()
export class ExtCalls {
  constructor(
    private readonly log: Logger,
    private readonly record: PartRecord,
    private readonly timeouts: Timeouts,
  ) {}

  /**
   * What `work` resolves to. A refusal of the operation passes as it is, an exception of Nest as the refusal that it
   * means; what goes on after the limit is ignored.
   * @throws DomainError DeadlineExceeded `extension.too_slow`, and whatever `work` throws
   */
  async run<T>(call: ExtCall, work: () => Promise<T>): Promise<T> {
    const end = this.record.begin({ extension: call.owner, seam: ROUTES });
    let timer: NodeJS.Timeout | undefined;
    const limitMs = call.limitSeconds === undefined ? this.timeouts.extensionMs : call.limitSeconds * 1_000;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow(call, limitMs)), limitMs);
    });
    try {
      return await Promise.race([asExtension(call.owner, work), late]);
    } catch (thrown) {
      const error = toRefusal(call, thrown);
      if (!isRefusal(error)) this.note(call, error);
      throw error;
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  private note({ owner, operation }: ExtCall, error: unknown): void {
    this.record.addFailure({ extension: owner, seam: ROUTES });
    this.log.error({ err: error, extension: owner, seam: ROUTES, part: operation }, 'an extension failed');
  }
}

/** Runs an operation of an extension in JSON through `ExtCalls`, the writing of its response included. */
@Injectable()
export class ExtCallsInterceptor implements NestInterceptor {
  constructor(private readonly calls: ExtCalls) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { owner, id } = factsOf(context);
    return from(this.calls.run({ owner, operation: id }, () => lastValueFrom(next.handle())));
  }
}

function factsOf(context: ExecutionContext): { readonly owner: string; readonly id: string } {
  const path = context.switchToHttp().getRequest<{ readonly path: string }>().path;
  // The prefix was checked at the start: /admin/v1/ext/{id}/…
  return { owner: path.split('/')[4]!.toLowerCase(), id: operationOf(context.getHandler())!.id };
}

/**
 * The refusal that an operation has thrown, for JSON and gRPC alike: the filter of either edge would take it for a
 * refusal of its router, or for a defect.
 */
function toRefusal({ owner }: ExtCall, thrown: unknown): unknown {
  if (!(thrown instanceof HttpException)) return thrown;
  const status = thrown.getStatus();
  const [kind, word] = REFUSALS.get(status) ?? (['FailedPrecondition', 'refused'] as const);
  if (status >= 500 && kind === 'FailedPrecondition') return thrown; // a failure by its own word
  return new DomainError(kind, `${owner}.${word}`, thrown.message, { cause: thrown });
}

/** Whether the error is about the request, rather than a failure of the operation. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'Internal' && error.reason !== 'extension.too_slow';
}

function tooSlow({ owner, operation }: ExtCall, limitMs: number): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'extension.too_slow',
    `${operation} of the extension ${owner} took longer than ${limitMs / 1_000} s. Try again later.`,
  );
}
