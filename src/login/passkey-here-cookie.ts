import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { readCookie } from '../foundation/http/cookie.js';

const DECLINED = 'not-wanted';
const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Remembers that no passkey is wanted on this device, for a while or for good. This is about the device and not about
 * the user, so it is not stored with a user; without the cookie the offer comes again.
 */
@Injectable()
export class PasskeyHereCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(issuer: IssuerConfig) {
    this.name = issuer.isHttps ? '__Host-gatehouse-passkey' : 'gatehouse-passkey';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${issuer.isHttps ? '; Secure' : ''}`;
  }

  isIn(cookieHeader: string | undefined): boolean {
    return readCookie(cookieHeader, this.name) === DECLINED;
  }

  /** The value of a `Set-Cookie` header; without a time, for as long as browsers keep such a cookie. */
  toSetCookie(seconds = ONE_YEAR_SECONDS): string {
    return `${this.name}=${DECLINED}; Max-Age=${Math.min(seconds, ONE_YEAR_SECONDS)}; ${this.attributes}`;
  }
}
