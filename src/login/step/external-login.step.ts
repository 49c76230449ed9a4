import { Injectable } from '@nestjs/common';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { type LoginStep, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** A user without a password authenticates again with the provider that was used before. */
@Injectable()
export class ExternalLoginStep implements LoginStep<never> {
  readonly step = 'external-login';
  readonly path = paths.externalLogin;
  readonly reach = 'due';

  constructor(private readonly providers: ExternalProviders) {}

  /** A page rather than a redirect: it says whose account is needed. */
  async page(visit: Visit): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (session?.externalIdpId === undefined) return undefined;
    const idp = await this.providers.find(visit, session.externalIdpId);
    const { displayName, loginName } = session;
    return {
      page: 'externalLogin',
      person: { displayName, loginName },
      provider: idp && this.providers.toLink(idp),
      otherAccountHref: paths.loginName,
    };
  }

  /** The step's page has no form of its own: the button leads to the provider. */
  async submit(): Promise<StepOutcome<never>> {
    return taken;
  }
}
