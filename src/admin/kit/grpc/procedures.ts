import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import { closeIfUnread } from '../../../foundation/http/request.js';
import { UNIMPLEMENTED } from '../status/status.js';
import type { LazyGrpcServer } from './lazy-grpc-server.js';

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-Grpc-Web',
  'X-User-Agent',
  'Grpc-Timeout',
  'Connect-Protocol-Version',
  'Connect-Timeout-Ms',
];
const PREFLIGHT_SECONDS = '7200';

/**
 * gRPC, and gRPC-web and Connect from any origin and without credentials of the browser: the token in the metadata is
 * the only credential. Must come before anything that reads bodies.
 */
export function answerProcedures(
  server: LazyGrpcServer,
  orgHeader: string,
): (request: ExpressRequest, response: ExpressResponse, next: NextFunction) => void {
  const allowed = [...ALLOWED_HEADERS, orgHeader].join(', ');
  return (request, response, next) => {
    const isGrpcWeb = (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/grpc');
    if (!isGrpcWeb && !server.answers(request.path)) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'POST');
      response.setHeader('Access-Control-Allow-Headers', allowed);
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
      response.status(204).end();
      return;
    }
    // RFC 9110 §15.5.6: each procedure is a POST.
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'OPTIONS, POST');
      return refuse(request, response, 405, 'Method Not Allowed');
    }
    response.setHeader(
      'Access-Control-Expose-Headers',
      'grpc-status, grpc-message, grpc-status-details-bin, retry-after',
    );
    response.setHeader('Cache-Control', 'no-store');
    void server.answer(request, response);
  };
}

function refuse(request: ExpressRequest, response: ExpressResponse, status: number, message: string): void {
  closeIfUnread(request, response);
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).json({ code: UNIMPLEMENTED, message, details: [] });
}
