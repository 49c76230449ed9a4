import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { readQuery } from '../foundation/http/request.js';
import { paths } from '../org/instance/paths.js';
import { PolicyService } from '../org/policy/policy.service.js';
import type { AccountFrame } from '../page/account/account-layout.js';
import type { AccountOverviewProps } from '../page/account/account-overview.page.js';
import type { LoginPage } from '../page/render.js';
import type { Client } from '../project/client/client.js';
import { ClientService } from '../project/client/client.service.js';
import type { SignedInVisit } from '../visit/signed-in-visit.js';

/** The first page of the account. */
@Injectable()
export class AccountOverview {
  constructor(
    private readonly clients: ClientService,
    private readonly policies: PolicyService,
  ) {}

  async page(visit: SignedInVisit, frame: AccountFrame): Promise<LoginPage> {
    const returnTo = await this.returnOf(visit.http);
    const password = await this.closedPassword(visit, frame);
    return { page: 'accountOverview', frame, hint: hintFor(visit, frame), password, returnTo };
  }

  /** A notice for users who were led to the section of the password, where the organization closes it. */
  private async closedPassword(
    { http, session: { orgId, loginName } }: SignedInVisit,
    { sections }: AccountFrame,
  ): Promise<AccountOverviewProps['password']> {
    if (readQuery(http).find('closed') !== 'password' || sections.includes('password')) return undefined;
    const { allowUsernamePassword, hidePasswordReset } = await this.policies.effective('login', orgId);
    if (!allowUsernamePassword) return 'passwordsNotAllowed';
    if (hidePasswordReset) return 'passwordResetClosed';
    const query = new URLSearchParams({ loginname: loginName, orgID: orgId });
    return { resetHref: `${paths.passwordReset}?${query.toString()}` };
  }

  /** An application that leads here names itself and one of its registered addresses, to which its user returns. */
  private async returnOf(http: ExpressRequest): Promise<AccountOverviewProps['returnTo']> {
    const query = readQuery(http);
    const [clientId, href] = [query.find('client_id'), query.find('redirect_uri')];
    if (clientId === undefined || href === undefined) return undefined;
    const client = await this.clients.findActive(clientId);
    if (!client || client.type === 'native' || !isRegistered(client, href)) return undefined;
    return { href, clientName: client.name };
  }
}

/** Byte for byte: nothing that merely resembles a registered address is shown as a link. */
function isRegistered(client: Client, uri: string): boolean {
  return client.redirectUris.includes(uri) || client.acceptsPostLogoutRedirectUri(uri);
}

/** The most important hint, and no other. */
function hintFor({ session: { factor } }: SignedInVisit, { sections }: AccountFrame): AccountOverviewProps['hint'] {
  if (!sections.includes('steps')) return undefined;
  // A passkey that stands for both factors is a second step, too.
  if (!factor.isHeld) return factor.available.length > 0 ? { what: 'secondStep', at: 'steps' } : undefined;
  return factor.hasRecoveryCodes ? undefined : { what: 'noCodes', at: 'steps' };
}
