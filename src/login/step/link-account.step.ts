import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { displayNameAt } from '../../idp/external-identity.js';
import { idpLinkingNotAllowed } from '../../idp/idp.errors.js';
import { IdpService } from '../../idp/idp.service.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { IdpLogins } from '../../idp/idp-logins.js';
import { FollowedAccount } from '../../management/user/followed-account.js';
import { paths } from '../../org/instance/paths.js';
import type { LinkDecision } from '../../page/link-account.page.js';
import type { LoginPage } from '../../page/render.js';
import { withAccountLinked, withoutExternalLogin } from '../../session/auth-request/auth-request.js';
import { SessionChanges } from '../../session/session-changes.js';
import { UserService } from '../../user/user.service.js';
import { UserMails } from '../../user/user-mails.js';
import { ExternalProviders } from '../idp/external-providers.js';
import { again, type Learned, type LoginStep, learned, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

const NOT_FOR_ACCOUNT: readonly string[] = ['idp.not_found', 'idp.link_user_gone', 'idp.linking_not_allowed'];

/**
 * A user who returned from a provider unknown has signed in with a password: asks whether to link the two. Only the
 * user can decide that; equal e-mail addresses prove nothing (IDP-027).
 */
@Injectable()
export class LinkAccountStep implements LoginStep<never> {
  readonly step = 'link-account';
  readonly path = paths.linkAccount;
  readonly reach = 'due';

  constructor(
    private readonly providers: ExternalProviders,
    private readonly logins: IdpLogins,
    private readonly links: IdpLinks,
    private readonly idps: IdpService,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly account: FollowedAccount,
    private readonly changes: SessionChanges,
  ) {}

  async page(visit: Visit, retry?: Retry<never>): Promise<LoginPage | Learned> {
    const { session } = visit;
    const kept = await this.logins.findKept(visit.request.externalLoginId ?? '', visit.browser.id);
    const idp = kept && (await this.idps.findActive(kept.idpId));
    if (!session || !kept || !idp?.isLinkingAllowed) return learned(withoutExternalLogin(visit.request));
    const { displayName, loginName } = session;
    return {
      page: 'linkAccount',
      form: visit.formTo(this.path),
      providerName: idp.name,
      accountName: displayNameAt(kept.identity, idp),
      person: { displayName, loginName },
      errors: retry?.errors,
    };
  }

  async submit(visit: Visit, form: Form): Promise<StepOutcome<never>> {
    const decision = form.find('decision') as LinkDecision | undefined;
    if (decision === 'link') return this.link(visit);
    if (decision !== 'skip') return again({ reason: 'formStale' });
    return learned(withoutExternalLogin(visit.request));
  }

  private async link({ request, browser, session }: Visit): Promise<StepOutcome<never>> {
    const kept = await this.logins.findKept(request.externalLoginId ?? '', browser.id);
    if (!kept || !session) return taken;
    if (!(await this.providers.serves(kept.idpId, session.orgId))) return again({ reason: 'providerNotForAccount' });
    const { idpId, identity } = kept;
    try {
      const decided = await this.account.decidedBy(idpId);
      await this.changes.make({ session }, async (tx) => {
        const idp = await this.links.holdActiveIdp(tx, idpId);
        if (!idp.isLinkingAllowed) throw idpLinkingNotAllowed();
        await this.links.add(
          tx,
          {
            idpId,
            externalUserId: identity.subject,
            displayName: displayNameAt(identity, idp),
            userId: session.userId,
            orgId: session.orgId,
            attributes: identity.attributes,
          },
          session.userId,
        );
        await this.account.followWithin(tx, decided, session, identity);
        await this.mails.tellAccountChanged(tx, await this.users.get(tx, session.userId), 'providerLinked', idp.name);
      });
      return learned(withAccountLinked(request));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The next page is that of a browser without the session.
      if (error.reason === 'session.overtaken') return taken;
      if (error.reason === 'idp.link_taken') return again({ reason: 'providerAccountTaken' });
      if (NOT_FOR_ACCOUNT.includes(error.reason)) return again({ reason: 'providerNotForAccount' });
      throw error;
    }
  }
}
