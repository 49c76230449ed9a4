import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { readCookie } from '../foundation/http/cookie.js';

const ONE_YEAR_SECONDS = 31_536_000;
/** 32 bytes in base64url; anything else was not set by us. */
const VALUE = /^[A-Za-z0-9_-]{43}$/;

/** The cookie by which the login pages know this browser: a random value. */
@Injectable()
export class BrowserCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(issuer: IssuerConfig) {
    // With the prefix `__Host-`, browsers refuse the cookie from sub-domains, but it requires https.
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
