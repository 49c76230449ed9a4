import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../config/config.js';
import { readCookie } from '../http/cookie.js';

const ONE_YEAR_SECONDS = 31_536_000;
/** What `randomToken(32)` makes; anything else was not set by us. */
const VALUE = /^[A-Za-z0-9_-]{43}$/;

/** The one cookie of the login pages: a random value that names this browser. */
@Injectable()
export class BrowserCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(issuer: IssuerConfig) {
    // The prefix `__Host-` makes browsers refuse the cookie from sub-domains, but exists for https only.
    this.name = issuer.isHttps ? '__Host-gatehouse' : 'gatehouse';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${issuer.isHttps ? '; Secure' : ''}`;
  }

  read(cookieHeader: string | undefined): string | undefined {
    const value = readCookie(cookieHeader, this.name);
    return value !== undefined && VALUE.test(value) ? value : undefined;
  }

  /** The value of a `Set-Cookie` header. */
  toSetCookie(value: string): string {
    return `${this.name}=${value}; Max-Age=${ONE_YEAR_SECONDS}; ${this.attributes}`;
  }
}
