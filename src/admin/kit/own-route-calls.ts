import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { RequestRate } from '../../foundation/attempt/request-rate.js';
import { LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { accessOf } from '../../foundation/http/access.js';
import { addressOf } from '../../foundation/http/request.js';
import { Clock } from '../../foundation/time/clock.js';
import { ExtCalls } from './ext-calls.js';
import { operationOf } from './wire/declared-operation.js';

const LIMIT = 'gatehouse:own-route-limit';

/**
 * Requests of one address to open routes of extensions: enough for a company behind one address, and not for a flood.
 */
const OPEN_REQUESTS = 1_000;
const WINDOW_SECONDS = 10;

/** Declares how many seconds a route of an extension may take. */
export function declareLimit(seconds: number): MethodDecorator {
  return SetMetadata(LIMIT, seconds);
}

/**
 * Runs the routes of an extension's own through `ExtCalls`, and limits how often one address calls those that are open:
 * the others are limited by token.
 */
@Injectable()
export class OwnRouteCalls implements NestInterceptor {
  private readonly rate = new RequestRate(OPEN_REQUESTS, WINDOW_SECONDS);

  constructor(
    private readonly calls: ExtCalls,
    private readonly loaded: LoadedExtensions,
    private readonly clock: Clock,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    if (operationOf(handler)) return next.handle(); // has an interceptor of its own
    const request = context.switchToHttp().getRequest<ExpressRequest>();
    if (accessOf(context.getClass(), handler)?.kind === 'open') this.rate.count(addressOf(request), this.clock.now());
    const call = {
      owner: this.loaded.ownerOf(request.path)!,
      operation: `${context.getClass().name}.${handler.name}`,
      limitSeconds: Reflect.getMetadata(LIMIT, handler) as number | undefined,
    };
    return from(this.calls.run(call, () => lastValueFrom(next.handle(), { defaultValue: undefined })));
  }
}
