import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { map, type Observable } from 'rxjs';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { operationOf } from './declared-operation.js';
import { writeMessage } from './write-message.js';

/** Writes the response of an operation as JSON, by the fields of the declared message. */
@Injectable()
export class AnswerWriter implements NestInterceptor {
  constructor(private readonly issuer: IssuerConfig) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<unknown> {
    const operation = operationOf(context.getHandler());
    if (!operation) throw new Error(`${context.getHandler().name} declares no operation.`);
    const response = context.switchToHttp().getResponse<ExpressResponse>();
    response.status(200); // also for POST: the operations are calls, not resources
    response.setHeader('Cache-Control', 'no-store');
    return next.handle().pipe(map((answer) => writeMessage(operation.returns, answer, this.issuer.isOfAnotherVendor)));
  }
}
