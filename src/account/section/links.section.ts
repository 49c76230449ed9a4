import { Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import { readQuery } from '../../foundation/http/request.js';
import { ExtKinds } from '../../idp/ext-kinds.js';
import { idpLinkNotFound, idpNotFound, lastWayIn } from '../../idp/idp.errors.js';
import { IdpLinks, type LinkedIdp } from '../../idp/idp-links.js';
import { type OfferedIdp, OfferedIdps } from '../../idp/offered-idps.js';
import { searchProviders } from '../../idp/provider-search.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountFrame } from '../../page/account/account-layout.js';
import { CONFIRMED } from '../../page/account/account-question.page.js';
import type { FormError } from '../../page/part/form-error.js';
import { PROVIDER_NAME } from '../../page/part/provider-search.js';
import type { LoginPage } from '../../page/render.js';
import { SessionChanges } from '../../session/session-changes.js';
import { WaysIn } from '../../user/factor/ways-in.js';
import { UserService } from '../../user/user.service.js';
import { UserMails } from '../../user/user-mails.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** Accounts at identity providers, with which the user signs in. */
@Injectable()
export class LinksSection implements AccountSection<never> {
  readonly name = 'links';
  readonly path = paths.accountLinks;
  readonly kept = [];

  constructor(
    private readonly changes: SessionChanges,
    private readonly links: IdpLinks,
    private readonly ways: WaysIn,
    private readonly idps: OfferedIdps,
    private readonly kinds: ExtKinds,
    private readonly users: UserService,
    private readonly mails: UserMails,
  ) {}

  async isOpen({ selfService }: SignedInVisit): Promise<boolean> {
    return selfService.linkProviders;
  }

  async page(visit: SignedInVisit, { frame }: Opened, errors?: readonly FormError<never>[]): Promise<LoginPage> {
    const links = (await this.of(visit)).map((link) => ({
      provider: link.idpId,
      account: link.externalUserId,
      providerName: link.idpName,
      accountName: link.displayName,
      mark: this.kinds.markOf(link.idpType),
      since: link.linkedAt,
    }));
    const { shown, search } = searchProviders(await this.offered(visit), readQuery(visit.http).find(PROVIDER_NAME));
    const offered = shown.map(({ id, name, type }) => ({
      provider: id,
      providerName: name,
      mark: this.kinds.markOf(type),
    }));
    return {
      page: 'accountLinks',
      frame,
      target: visit.formTo(this.path),
      links,
      offered,
      search: search && { ...search, action: this.path },
      errors,
    };
  }

  async submit(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<never>> {
    const [provider, account] = [form.find('provider'), form.find('account')];
    if (form.find('decision') === 'add') {
      const offered = (await this.offered(visit)).find(({ id }) => id === provider);
      if (!offered) throw idpNotFound();
      return { kind: 'linking', idpId: offered.id };
    }
    const link = (await this.of(visit)).find(
      ({ idpId, externalUserId }) => idpId === provider && externalUserId === account,
    );
    if (!link) throw idpLinkNotFound();
    if (!form.hasField(CONFIRMED)) return this.ask(visit, frame, link);
    const { userId, orgId } = visit.session;
    try {
      await this.changes.make(visit, async (tx) => {
        // Locks the user: of two ways in that are removed at once, one stays.
        const user = await this.users.getOf(tx, orgId, userId);
        await this.links.remove(tx, user, link.idpId, link.externalUserId, userId);
        if (!(await this.ways.areLeft(tx, userId))) throw lastWayIn();
        await this.mails.tellAccountChanged(tx, user, 'providerUnlinked', link.idpName);
      });
      return { kind: 'done', what: 'linkRemoved' };
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'idp.last_way_in') throw error;
      return { kind: 'again', errors: [{ reason: 'lastWayIn' }] };
    }
  }

  /** The providers through which users of the organization may sign in, and that they may link. */
  private async offered({ session: { orgId } }: SignedInVisit): Promise<readonly OfferedIdp[]> {
    return (await this.idps.of(orgId)).filter(({ isLinkingAllowed }) => isLinkingAllowed);
  }

  private async of({ session }: SignedInVisit): Promise<readonly LinkedIdp[]> {
    return this.links.of(session.userId);
  }

  private ask(visit: SignedInVisit, frame: AccountFrame, link: LinkedIdp): SectionOutcome<never> {
    const fields = { provider: link.idpId, account: link.externalUserId };
    return {
      kind: 'page',
      page: {
        page: 'accountQuestion',
        frame,
        section: this.name,
        target: { ...visit.formTo(this.path), fields },
        question: 'removeLink',
        thing: link.idpName,
        backHref: this.path,
      },
    };
  }
}
