import { Injectable } from '@nestjs/common';
import type { AccountFrame } from '../foundation/page/account/account-layout.js';
import type { AccountOverviewProps } from '../foundation/page/account/account-overview.page.js';
import type { LoginPage } from '../foundation/page/render.js';
import type { AccountVisit } from './account-visit.js';

/** The first page of the account. */
@Injectable()
export class AccountOverview {
  async page(visit: AccountVisit, frame: AccountFrame): Promise<LoginPage> {
    return { page: 'accountOverview', frame, hint: hintFor(visit, frame) };
  }
}

/** One at most, the weightiest. */
function hintFor({ session: { factor } }: AccountVisit, { sections }: AccountFrame): AccountOverviewProps['hint'] {
  if (!sections.includes('steps')) return undefined;
  if (factor.usable(false).length === 0)
    return factor.available.length > 0 ? { what: 'secondStep', at: 'steps' } : undefined;
  return factor.hasRecoveryCodes ? undefined : { what: 'noCodes', at: 'steps' };
}
