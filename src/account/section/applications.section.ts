import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountFrame } from '../../page/account/account-layout.js';
import { CONFIRMED } from '../../page/account/account-question.page.js';
import type { LoginPage } from '../../page/render.js';
import { clientNotFound } from '../../project/client/client.errors.js';
import { SessionChanges } from '../../session/session-changes.js';
import { TokenEnds } from '../../token/token-ends.js';
import { UserApplications } from '../../token/user-applications.js';
import { UserService } from '../../user/user.service.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** Applications that keep their access while the user is away, and the end of it. */
@Injectable()
export class ApplicationsSection implements AccountSection<never> {
  readonly name = 'applications';
  readonly path = paths.accountApplications;
  readonly kept = [];

  constructor(
    private readonly changes: SessionChanges,
    private readonly applications: UserApplications,
    private readonly tokens: TokenEnds,
    private readonly users: UserService,
  ) {}

  async isOpen(): Promise<boolean> {
    return true;
  }

  async page(visit: SignedInVisit, { frame }: Opened): Promise<LoginPage> {
    const applications = await this.applications.of(visit.session.userId);
    return { page: 'accountApplications', frame, target: visit.formTo(this.path), applications };
  }

  /** Ends every token of the application, whether it could be refreshed or not. */
  async submit(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<never>> {
    const { session } = visit;
    const clientId = form.find('application');
    const found = (await this.applications.of(session.userId)).find((each) => each.clientId === clientId);
    if (!found) throw clientNotFound();
    if (!form.hasField(CONFIRMED)) return this.ask(visit, frame, found);
    const { userId } = session;
    await this.changes.make(visit, async (tx) => {
      await this.tokens.endAccessOf(tx, session, found.clientId);
      await this.users.change(tx, userId, {}, 'user.access.removed', userId, { clientId: found.clientId });
    });
    return { kind: 'done', what: 'accessRemoved' };
  }

  private ask(
    visit: SignedInVisit,
    frame: AccountFrame,
    { clientId, name }: { readonly clientId: string; readonly name: string },
  ): SectionOutcome<never> {
    return {
      kind: 'page',
      page: {
        page: 'accountQuestion',
        frame,
        section: this.name,
        target: { ...visit.formTo(this.path), fields: { application: clientId } },
        question: 'endAccess',
        thing: name,
        backHref: this.path,
      },
    };
  }
}
