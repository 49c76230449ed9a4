import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DomainError } from '../foundation/error/domain-error.js';
import { PartRecord } from '../foundation/extension/part-record.js';
import { Logger } from '../foundation/log/logger.js';
import { Timeouts } from '../foundation/time/timeouts.js';
import { operationOf } from './wire/declared-operation.js';

/** Under which operations of extensions are counted, as if they filled a seam. */
export const ROUTES = 'ROUTES';

/** What a call of an operation is about, in log and metrics. */
interface OwnCall {
  /** The id of the extension. */
  readonly owner: string;
  /** The id of the operation. */
  readonly operation: string;
}

/** Calls operations of extensions: within a time limit, and with a line in the log that names what failed. */
@Injectable()
export class OwnCalls {
  constructor(
    private readonly log: Logger,
    private readonly record: PartRecord,
    private readonly timeouts: Timeouts,
  ) {}

  /**
   * What `work` resolves to. A refusal of the operation passes as it is; what goes on after the limit is ignored.
   * @throws DomainError DeadlineExceeded `extension.too_slow`, and whatever `work` throws
   */
  async run<T>(call: OwnCall, work: () => Promise<T>): Promise<T> {
    const end = this.record.begin({ extension: call.owner, seam: ROUTES });
    let timer: NodeJS.Timeout | undefined;
    const limitMs = this.timeouts.extensionMs;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow(call, limitMs)), limitMs);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (!isRefusal(error)) this.note(call, error);
      throw error;
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  private note({ owner, operation }: OwnCall, error: unknown): void {
    this.record.addFailure({ extension: owner, seam: ROUTES });
    this.log.error({ err: error, extension: owner, seam: ROUTES, part: operation }, 'an extension failed');
  }
}

/** Runs an operation of an extension in JSON through `OwnCalls`, the writing of its response included. */
@Injectable()
export class OwnCallsInterceptor implements NestInterceptor {
  constructor(private readonly calls: OwnCalls) {}

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

/** What an operation says about a request, rather than about itself. */
function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'Internal' && error.reason !== 'extension.too_slow';
}

function tooSlow({ owner, operation }: OwnCall, limitMs: number): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    'extension.too_slow',
    `${operation} of the extension ${owner} took longer than ${limitMs / 1_000} s. Try again later.`,
  );
}
