import { Injectable } from '@nestjs/common';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import type { AuthRequest } from './auth-request.js';

const TIMES = ['createdAt', 'expiresAt', 'externalProvedAt', 'passwordExpiresAt'] as const satisfies ReadonlyArray<
  keyof AuthRequest
>;

/**
 * The most that an application may send, with room for what the pages learn: sealed, it must fit into a form
 * (`TokenSeal`, `readForm`). Two parameters of 4,096 characters fit in any script.
 */
const MAX_REQUEST_BYTES = 36_000;

/**
 * Authorization requests as the login pages carry them: one text, which only this service can read or make
 * ([record 44](../../docs/adr/0044-a-sign-in.md)). Says nothing about who sends it: the caller
 * compares the browser.
 */
@Injectable()
export class RequestSeal {
  constructor(private readonly tokenSeal: TokenSeal) {}

  /** Whether a request is too long to travel with the pages. */
  isTooLong(request: AuthRequest): boolean {
    return Buffer.byteLength(JSON.stringify(request)) > MAX_REQUEST_BYTES;
  }

  seal(request: AuthRequest): string {
    return this.tokenSeal.seal('request', Buffer.from(JSON.stringify(request)));
  }

  /** Undefined for anything that this service did not seal as a request. */
  open(value: string): AuthRequest | undefined {
    const payload = this.tokenSeal.open('request', value);
    if (!payload) return undefined;
    const members = JSON.parse(payload.toString()) as Record<string, unknown>;
    const times = TIMES.filter((name) => members[name] !== undefined).map(
      (name) => [name, new Date(members[name] as string)] as const,
    );
    return { ...members, ...Object.fromEntries(times) } as unknown as AuthRequest;
  }
}
