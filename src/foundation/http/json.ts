import type { Response as ExpressResponse } from 'express';

/** Sends JSON in one write, without Express's checks for cacheable answers. */
export function sendJson(response: ExpressResponse, body: unknown, status = 200): void {
  send(response, 'application/json; charset=utf-8', JSON.stringify(body), status);
}

/** Sends a JWT in one write (RFC 7519 §10.3.1). */
export function sendJwt(response: ExpressResponse, jwt: string): void {
  send(response, 'application/jwt', jwt, 200);
}

function send(response: ExpressResponse, type: string, text: string, status: number): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
