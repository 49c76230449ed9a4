import { Injectable } from '@nestjs/common';
import { Logger } from '../foundation/log/logger.js';

/** Strangers choose names and numbers; whoever fills this sees lines again that were there before. */
const MAX_REMEMBERED = 5_000;
const MAX_NAMED = 20;

/**
 * Scopes that are not granted are left out (RFC 6749 §3.3), which the programmer who has misspelt one does not notice.
 * The log names each of them once for each client.
 */
@Injectable()
export class DroppedScopes {
  private readonly known = new Set<string>();

  constructor(private readonly log: Logger) {}

  note(clientId: string, requested: readonly string[], granted: readonly string[]): void {
    if (requested.length === granted.length) return; // the usual case: nothing was dropped
    const scopes = [...new Set(requested)].filter((scope) => !granted.includes(scope) && this.isNew(clientId, scope));
    if (scopes.length === 0) return;
    this.log.warn(
      { reason: 'oidc.scopes_dropped', clientId, scopes: scopes.slice(0, MAX_NAMED), count: scopes.length },
      'scopes that do not exist, or that the application may not have, were left out',
    );
  }

  private isNew(clientId: string, scope: string): boolean {
    const key = JSON.stringify([clientId, scope]);
    if (this.known.has(key)) return false;
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    this.known.add(key);
    return true;
  }
}
