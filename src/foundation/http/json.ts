import type { Response } from 'express';

/** Sends JSON in one write, without Express's checks for cacheable answers. */
export function sendJson(response: Response, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
