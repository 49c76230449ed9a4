import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { readQuery } from '../foundation/http/request.js';
import { Clock } from '../foundation/time/clock.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { paths } from '../org/instance/paths.js';
import { OrgService } from '../org/org.service.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { toWebAddress } from '../org/policy/policy-rules.js';
import { PageSettings } from '../page/page-settings.js';
import { LoginPages } from './login-pages.js';
import { Visits } from './visits.js';

const FOUND = 302;

/** Receives users who come without an application: by a bookmark, the link of a mail, or a typed address. */
@Injectable()
export class Lobby {
  constructor(
    private readonly visits: Visits,
    private readonly pages: LoginPages,
    private readonly settings: PageSettings,
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
    private readonly policies: PolicyService,
    private readonly clock: Clock,
  ) {}

  /** Redirects where the login policy of their organization says, or shows who is signed in. */
  async receive(http: ExpressRequest, response: ExpressResponse): Promise<void> {
    const now = this.clock.now();
    const sessions = ((await this.visits.browserOf(http))?.sessions ?? []).filter((session) => session.isFresh(now));
    const people = [...sessions].sort((a, b) => Number(b.authTime) - Number(a.authTime));
    const orgId = await this.orgOf(readQuery(http).find('orgID') ?? people[0]?.orgId);
    const { defaultRedirectUri } = await this.policies.effective('login', orgId);
    const home = toWebAddress(defaultRedirectUri);
    if (home !== undefined) {
      response.redirect(FOUND, home);
      return;
    }
    const setting = await this.settings.forReader(http, { orgId });
    if (people.length === 0) {
      this.pages.sendAs(setting, response, { page: 'notSignedIn' });
      return;
    }
    this.pages.sendAs(setting, response, {
      page: 'signedIn',
      people: people.map(({ displayName, loginName }) => ({ displayName, loginName })),
      signOutHref: paths.signOut,
    });
  }

  private async orgOf(named: string | undefined): Promise<string> {
    const org = named === undefined ? undefined : await this.orgs.findActive(named);
    return org?.id ?? (await this.instances.get()).defaultOrgId;
  }
}
