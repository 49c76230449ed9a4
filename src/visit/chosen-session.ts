import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { readCookie } from '../foundation/http/cookie.js';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Names the session that pages of the service are about, if the browser has several. It proves nothing: a value that
 * names no session of this browser is ignored.
 */
@Injectable()
export class ChosenSession {
  private readonly name: string;
  private readonly attributes: string;

  constructor(issuer: IssuerConfig) {
    this.name = issuer.isHttps ? '__Host-gatehouse-account' : 'gatehouse-account';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${issuer.isHttps ? '; Secure' : ''}`;
  }

  read(cookieHeader: string | undefined): string | undefined {
    const value = readCookie(cookieHeader, this.name);
    return value !== undefined && ID.test(value) ? value : undefined;
  }

  /** The value of a `Set-Cookie` header; it lasts as long as the browser is open. */
  toSetCookie(sessionId: string): string {
    return `${this.name}=${sessionId}; ${this.attributes}`;
  }

  toRemoval(): string {
    return `${this.name}=; Max-Age=0; ${this.attributes}`;
  }
}
