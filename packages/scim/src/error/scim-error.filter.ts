import type { ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { Refusals } from 'gatehouse/admin';
import { SCIM_JSON } from '../protocol/answer.js';
import { errorBody, translated } from './error-body.js';

const SECONDS_UNTIL_RETRY = '1';

/** Answers whatever a route, the guard or the router throws in the form of RFC 7644 §3.12. */
@Catch()
export class ScimErrorFilter implements ExceptionFilter {
  constructor(private readonly refusals: Refusals) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const refusal = this.refusals.answer(thrown, host);
    if (!refusal) return;
    const { status, scimType } = translated(thrown, refusal);
    const response = host.switchToHttp().getResponse<ServerResponse>();
    response.statusCode = status;
    response.setHeader('Content-Type', SCIM_JSON);
    if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', SECONDS_UNTIL_RETRY);
    response.end(JSON.stringify(errorBody({ ...refusal, status }, scimType)));
  }
}
