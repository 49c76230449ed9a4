import type { Request as ExpressRequest } from 'express';

/** Whether the peer is a proxy of `TRUSTED_PROXIES`, whose headers are believed. */
export function isFromTrustedProxy(request: ExpressRequest): boolean {
  const isTrusted = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const { remoteAddress } = request.socket;
  return remoteAddress !== undefined && isTrusted(remoteAddress, 0);
}
