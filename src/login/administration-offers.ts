import { Injectable } from '@nestjs/common';
import type { AdministrationOffer } from '../page/part/administration.js';
import type { BrowserSession } from '../session/browser-session.js';
import {
  type CallingApplication,
  mayChangeSignIn,
  membershipsThrough,
  reachesAccount,
} from '../user/permission/calling-application.js';
import { MembershipDirectory } from '../user/permission/membership-directory.js';
import type { Visit } from './visit.js';

/** More than anybody reads; the page says that there are more. */
const MOST = 20;

/** What an application could do by the administrative API with the roles of the person who is asked. */
@Injectable()
export class AdministrationOffers {
  constructor(private readonly memberships: MembershipDirectory) {}

  /** Undefined for a request that is not about the administrative API. */
  async of({ request, client }: Visit, { userId, orgId }: BrowserSession): Promise<AdministrationOffer | undefined> {
    if (request.administers !== true) return undefined;
    const application: CallingApplication = {
      orgId: client.project.orgId,
      isOfSystem: false,
      isAllowed: client.mayAdminister,
      hasConsent: true,
    };
    const { rows } = await this.memberships.list(userId, { offset: 0n, limit: 100, ascending: true }, []);
    const reached = membershipsThrough(
      application,
      rows.map((row) => ({ ...row, orgId: row.ownerId })),
    );
    return {
      readsAccount: reachesAccount(application, orgId),
      changesSignIn: mayChangeSignIn(application, orgId),
      places: reached.slice(0, MOST).map(({ level, objectName, roles }) => ({
        name: level === 'instance' ? undefined : objectName,
        roles,
      })),
      hasMore: reached.length > MOST,
    };
  }
}
