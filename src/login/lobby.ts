import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InstanceService } from '../instance/instance.service.js';
import { paths } from '../page/paths.js';
import { PolicyService } from '../policy/policy.service.js';
import { Clock } from '../time/clock.js';
import { LoginPages } from './login-pages.js';
import { Visits } from './visits.js';

const FOUND = 302;

/** Receives people who come from no application: by a bookmark, or an address typed by hand. */
@Injectable()
export class Lobby {
  constructor(
    private readonly visits: Visits,
    private readonly pages: LoginPages,
    private readonly instances: InstanceService,
    private readonly policies: PolicyService,
    private readonly clock: Clock,
  ) {}

  /** On to where the login policy sends them, else a page that says who is signed in. */
  async receive(http: Request, response: Response): Promise<void> {
    const { defaultOrgId } = await this.instances.get();
    const { defaultRedirectUri } = await this.policies.effective('login', defaultOrgId);
    if (isWebAddress(defaultRedirectUri)) {
      response.redirect(FOUND, defaultRedirectUri);
      return;
    }
    const now = this.clock.now();
    const people = ((await this.visits.browserOf(http))?.sessions ?? []).filter((session) => session.isFresh(now));
    if (people.length === 0) {
      await this.pages.send(http, response, { page: 'signedOut' });
      return;
    }
    await this.pages.send(http, response, {
      page: 'signedIn',
      people: people.map(({ displayName, loginName }) => ({ displayName, loginName })),
      signOutHref: paths.signOut,
    });
  }
}

/** Whatever an administrator once stored: a script or a file is no place to send a browser (LOG-021). */
function isWebAddress(uri: string): boolean {
  return /^https?:\/\/[^/\\]/i.test(uri) && URL.canParse(uri);
}
