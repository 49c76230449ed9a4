import { Injectable } from '@nestjs/common';
import { paths } from '../../page/paths.js';
import type { LoginPage } from '../../page/render.js';
import { ExternalProviders } from '../idp/external-providers.js';
import type { Visit } from '../visit.js';
import { type LoginStep, type StepOutcome, taken } from './login-step.js';

/** Somebody without a password proves once more who they are, to the provider that they came through. */
@Injectable()
export class ExternalLoginStep implements LoginStep<never> {
  readonly step = 'external-login';
  readonly path = paths.externalLogin;
  readonly reach = 'due';

  constructor(private readonly providers: ExternalProviders) {}

  /** A page and not the way there at once: it says whom it is about, and a form of another page could not lead to another site. */
  async page(visit: Visit): Promise<LoginPage | undefined> {
    const { session } = visit;
    if (session?.externalIdpId === undefined) return undefined;
    const idp = await this.providers.find(visit, session.externalIdpId);
    const { displayName, loginName } = session;
    return {
      page: 'externalLogin',
      person: { displayName, loginName },
      provider: idp && this.providers.toLink(visit, idp),
      otherAccountHref: visit.linkTo(paths.loginName),
    };
  }

  /** Its page has no form: its button is a link. */
  async submit(): Promise<StepOutcome<never>> {
    return taken;
  }
}
