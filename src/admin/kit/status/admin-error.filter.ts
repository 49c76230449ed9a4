import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { type ErrorBody, toErrorBody } from './error-body.js';
import { Refusals } from './refusals.js';
import { STATUS, UNIMPLEMENTED } from './status.js';

/** The one place where an error becomes a response of the administrative API. */
@Catch()
export class AdminErrorFilter implements ExceptionFilter {
  constructor(
    private readonly refusals: Refusals,
    private readonly issuer: IssuerConfig,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    const refused = this.refusals.begin(thrown, request, response);
    if (!refused) return;
    const body = refused.error ? toErrorBody(refused.error, this.issuer.urnWord) : unmatchedBody(refused.status);
    response.json(body);
  }
}

function unmatchedBody(status: number): ErrorBody {
  const [code, message] = status === 404 ? [STATUS.NotFound.code, 'Not Found'] : [UNIMPLEMENTED, 'Method Not Allowed'];
  return { code, message, details: [] };
}
