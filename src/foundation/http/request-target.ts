import type { IncomingMessage, Server } from 'node:http';
import { BadRequestException } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';

/** A path that no router can decode: stands for any that could not be read. */
const UNREADABLE = '/%';

/**
 * RFC 9112 §3.2.2: a server must accept the absolute form. Routers only see its path; we do not use its host. Otherwise
 * the router would answer what it cannot read with a page of its own, without our headers.
 */
export function readAbsoluteTargets(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const target = request.url ?? '';
    if (!target.startsWith('/') && target !== '*') request.url = pathOf(target) ?? UNREADABLE;
  });
}

/** Runs after our headers were set, so that the error is answered like any other unreadable request. */
export function refuseUnreadableTarget(request: ExpressRequest, _response: ExpressResponse, next: NextFunction): void {
  next(request.url === UNREADABLE ? new BadRequestException() : undefined);
}

/** The path and query of an absolute target, byte for byte; undefined if it is not an http URL. */
export function pathOf(target: string): string | undefined {
  const rest = /^https?:\/\/[^/?#]+(.*)$/i.exec(target)?.[1];
  if (rest === undefined || !URL.canParse(target)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
