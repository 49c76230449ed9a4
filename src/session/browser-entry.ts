import { Injectable } from '@nestjs/common';
import { BrowserCookie } from './browser-cookie.js';
import type { KnownBrowser } from './browser-sessions.js';
import { SessionService } from './session.service.js';

/** The browser that a request came from, and the cookie that it has or is about to get. */
export interface EnteredBrowser {
  readonly browser: KnownBrowser;
  readonly cookieValue: string;
  /** It must be given the cookie before it comes again. */
  readonly isNew: boolean;
}

/** Where a browser comes in with the request of an application. */
@Injectable()
export class BrowserEntry {
  constructor(
    private readonly cookie: BrowserCookie,
    private readonly sessions: SessionService,
  ) {}

  /** The browser of a cookie; a new one without a cookie that opens anything. */
  async enter(cookieHeader: string | undefined): Promise<EnteredBrowser> {
    const cookieValue = this.cookie.read(cookieHeader);
    const browser = await this.sessions.findBrowser(cookieValue);
    if (browser && cookieValue !== undefined) return { browser, cookieValue, isNew: false };
    const added = this.sessions.newBrowser();
    return { browser: { id: added.browserId, sessions: [] }, cookieValue: added.cookieValue, isNew: true };
  }
}
