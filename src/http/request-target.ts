import type { IncomingMessage, Server } from 'node:http';
import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** A path that no router can decode: it stands for whatever could not be read. */
const UNREADABLE = '/%';

/**
 * RFC 9112 §3.2.2: a server takes the absolute form too. Routers see the path of it alone, for its host says nothing to us.
 * Left to itself the router would answer what it cannot read with a page of its own, past everything that adds our headers.
 */
export function readAbsoluteTargets(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const target = request.url ?? '';
    if (!target.startsWith('/') && target !== '*') request.url = pathOf(target) ?? UNREADABLE;
  });
}

/** Comes after our headers, and lets the error be answered as any other of a request that could not be read. */
export function refuseUnreadableTarget(request: Request, _response: Response, next: NextFunction): void {
  next(request.url === UNREADABLE ? new BadRequestException() : undefined);
}

/** The path and query of an absolute target, byte for byte; undefined for what is no http URL. */
function pathOf(target: string): string | undefined {
  const rest = /^https?:\/\/[^/?#]+(.*)$/i.exec(target)?.[1];
  if (rest === undefined || !URL.canParse(target)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
