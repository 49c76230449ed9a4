import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { paths } from '../../org/instance/paths.js';
import type { AccountDeviceDecision } from '../../page/account/account-devices.page.js';
import type { AccountFrame } from '../../page/account/account-layout.js';
import { CONFIRMED } from '../../page/account/account-question.page.js';
import type { LoginPage } from '../../page/render.js';
import { sessionNotFound } from '../../session/session.errors.js';
import { SessionService } from '../../session/session.service.js';
import { SessionChanges } from '../../session/session-changes.js';
import { UserSessions } from '../../session/user-sessions.js';
import { TokenEnds } from '../../token/token-ends.js';
import { UserService } from '../../user/user.service.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** Where the user is signed in, and the end of it. */
@Injectable()
export class DevicesSection implements AccountSection<never> {
  readonly name = 'devices';
  readonly path = paths.accountDevices;
  readonly kept = [];

  constructor(
    private readonly changes: SessionChanges,
    private readonly userSessions: UserSessions,
    private readonly sessions: SessionService,
    private readonly users: UserService,
    private readonly tokens: TokenEnds,
  ) {}

  async isOpen(): Promise<boolean> {
    return true;
  }

  async page(visit: SignedInVisit, { frame }: Opened): Promise<LoginPage> {
    const { session } = visit;
    const found = await this.userSessions.onDevices(session.userId);
    const devices = found.map(({ createdAt, ...device }) => ({
      ...device,
      since: createdAt,
      isThis: device.id === session.id,
    }));
    return {
      page: 'accountDevices',
      frame,
      target: visit.formTo(this.path),
      devices: [...devices.filter(({ isThis }) => isThis), ...devices.filter(({ isThis }) => !isThis)],
    };
  }

  async submit(visit: SignedInVisit, form: Form, frame: AccountFrame): Promise<SectionOutcome<never>> {
    const { userId, id: sessionId } = visit.session;
    const device = form.find('device');
    const isConfirmed = form.hasField(CONFIRMED);
    const decision = form.find('decision') as AccountDeviceDecision | undefined;
    switch (decision) {
      case 'one': {
        if (device === undefined || !(await this.isOwn(userId, device))) throw sessionNotFound();
        if (!isConfirmed) return this.ask(visit, frame, 'endOne', { decision, device });
        const count = await this.changes.make(visit, async (tx) => {
          await this.tokens.endFamiliesOf(tx, visit.session, { sessionId: device });
          return this.userSessions.end(tx, userId, device, userId);
        });
        return { kind: 'done', what: 'sessions', count };
      }
      case 'others': {
        if (!isConfirmed) return this.ask(visit, frame, 'endOthers', { decision });
        const count = await this.changes.make(visit, async (tx) => {
          await this.tokens.endFamiliesOf(tx, visit.session, { exceptSessionId: sessionId });
          return this.sessions.endOthersOf(tx, userId, sessionId);
        });
        return { kind: 'done', what: 'sessions', count };
      }
      case 'everywhere': {
        if (!isConfirmed) return this.ask(visit, frame, 'endAll', { decision });
        await this.changes.make(visit, async (tx) => {
          // Ends tokens that are issued while this runs as well: a token of the epoch before is dead (ACC-009).
          await this.users.endTokens(tx, userId, userId);
          await this.userSessions.endAll(tx, userId, userId);
        });
        return { kind: 'signed-out' };
      }
      case undefined:
        return { kind: 'again', errors: [{ reason: 'formStale' }] };
    }
  }

  private async isOwn(userId: string, id: string): Promise<boolean> {
    return (await this.userSessions.onDevices(userId)).some((session) => session.id === id);
  }

  private ask(
    visit: SignedInVisit,
    frame: AccountFrame,
    question: 'endOne' | 'endOthers' | 'endAll',
    fields: Record<string, string>,
  ): SectionOutcome<never> {
    const target = { ...visit.formTo(this.path), fields };
    return {
      kind: 'page',
      page: { page: 'accountQuestion', frame, section: this.name, target, question, backHref: this.path },
    };
  }
}
