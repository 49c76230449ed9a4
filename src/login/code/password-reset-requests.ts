import { Injectable } from '@nestjs/common';
import { paths } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { CodeProps } from '../../page/code.page.js';
import type { LoginPage } from '../../page/render.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import type { WayBack } from '../../user/person.service.js';
import { MailedCodes } from '../mailed-codes.js';
import { MailedKeys } from '../mailed-keys.js';
import { ParkedVisits } from '../parked-visits.js';
import type { CodeLink } from './code-link.js';
import type { Guest } from './guest.js';

/** Requesting the mail and the page that waits for its code: shared by the journeys that begin and complete a reset. */
@Injectable()
export class PasswordResetRequests {
  constructor(
    private readonly codes: AccountCodes,
    private readonly parked: ParkedVisits,
    private readonly mailed: MailedCodes,
    private readonly keys: MailedKeys,
    private readonly policies: PolicyService,
    private readonly passwordPolicies: PasswordPolicyService,
  ) {}

  /**
   * What users of the organization may get by a mail: a new password or, where there are none, a passkey. Undefined if
   * only their administrator can help them.
   */
  async wayBackIn(orgId: string): Promise<WayBack | undefined> {
    const { hidePasswordReset, allowUsernamePassword } = await this.policies.effective('login', orgId);
    if (hidePasswordReset) return undefined;
    if (allowUsernamePassword) return 'password';
    return (await this.keys.arePossible(orgId)) ? 'passkey' : undefined;
  }

  /** Sends a mail if the user exists and may have one. The answer is the same in every case. */
  async send(guest: Guest, owner: Pick<CodeOwner, 'userId' | 'orgId'> | undefined): Promise<void> {
    await this.mailed.send(guest.address, () => this.sendTo(guest, owner));
  }

  private async sendTo(guest: Guest, owner: Pick<CodeOwner, 'userId' | 'orgId'> | undefined): Promise<void> {
    const by = owner && (await this.wayBackIn(owner.orgId));
    if (owner && by) await this.codes.sendWayBack(owner, await this.parked.of(guest.visit), by);
  }

  async codePage(
    guest: Guest,
    link: CodeLink,
    props: Pick<CodeProps, 'code' | 'isCodeLinked' | 'asked' | 'errors'>,
  ): Promise<LoginPage> {
    return {
      page: 'code',
      purpose: 'passwordNew',
      form: guest.formTo(paths.passwordInit, link),
      loginName: link.loginName,
      asksName: link.asksName,
      rules: await this.passwordPolicies.of(guest.orgId),
      canResend: true,
      signInHref: guest.signInHref,
      ...props,
    };
  }
}
