import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import { Logger } from '../../foundation/log/logger.js';
import { OtherWays } from '../../management/user/other-ways.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { FormTarget } from '../../page/part/form.js';
import type { FormError } from '../../page/part/form-error.js';
import { CREDENTIAL } from '../../page/part/key-form.js';
import type { PasskeyLinkField } from '../../page/passkey-link.page.js';
import type { LoginPage } from '../../page/render.js';
import { withLoginName } from '../../session/auth-request/auth-request.js';
import { FactorCheck } from '../../session/proof/factor-check.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import type { CheckedCode } from '../../user/user-codes.js';
import { loginNameOf } from '../../user/user-name.js';
import type { Retry } from '../login-step.js';
import { MailedCodes } from '../mailed-codes.js';
import { type MailedKeyPlace, MailedKeys } from '../mailed-keys.js';
import { type CodeJourney, type JourneyOutcome, once, WRONG_CODE } from './code-journey.js';
import { resetHref } from './code-link.js';
import { CodeOwners, missingIn } from './code-owners.js';
import type { Guest } from './guest.js';
import { PasswordResetRequests } from './password-reset-requests.js';

/** The facts that are known once the code was right. */
interface Proved {
  readonly guest: Guest;
  readonly owner: CodeOwner;
  readonly code: CheckedCode;
  /** The code as it was typed: the next form brings it again, since it is spent together with the key's challenge. */
  readonly typedCode: string;
}

/** Adds a passkey by a link that a manager has sent or passed on. */
@Injectable()
export class PasskeyLinkJourney implements CodeJourney {
  readonly path = paths.passkeyLink;

  constructor(
    private readonly owners: CodeOwners,
    private readonly codes: AccountCodes,
    private readonly mailed: MailedCodes,
    private readonly keys: MailedKeys,
    private readonly factors: FactorCheck,
    private readonly otherWays: OtherWays,
    private readonly resets: PasswordResetRequests,
    private readonly changes: SignInChanges,
    private readonly log: Logger,
  ) {}

  async page(guest: Guest, retry?: Retry<PasskeyLinkField>): Promise<LoginPage> {
    const { link } = guest;
    return {
      page: 'passkeyLink',
      asks: 'code',
      form: guest.formTo(this.path),
      resetHref: (await this.resets.wayBackIn(guest.orgId)) === 'passkey' ? resetHref(link) : undefined,
      asksName: link.asksName,
      loginName: link.loginName,
      code: retry ? retry.form.find('code') : link.code,
      errors: retry?.errors,
    };
  }

  async submit(guest: Guest, form: Form): Promise<JourneyOutcome> {
    const missing = missingIn(guest, form);
    if (missing.length > 0) return once(...missing);
    const owner = await this.owners.find(guest);
    const typedCode = form.find('code') ?? '';
    const code = await this.mailed.check(guest.address, async () =>
      owner?.state === 'active' ? this.codes.check(owner.userId, 'passkey', typedCode) : undefined,
    );
    if (!owner || !code || !(await this.keys.arePossible(owner.orgId))) return this.refuse(guest, owner);
    // The code was right, so this is the user: from here on, answers may depend on the account.
    const proved = { guest, owner, code, typedCode };
    const isConfirmed = await this.keys.needsConfirmation(owner.userId);
    if (form.hasField(CREDENTIAL)) return this.store(proved, isConfirmed, form.find(CREDENTIAL) ?? '');
    if (!isConfirmed) return this.keyPage(proved, isConfirmed);
    if (!form.hasField('factor')) return this.factorPage(proved);
    const typed = form.find('factor');
    if (typed === undefined) return this.factorPage(proved, { field: 'factor', reason: 'codeMissing' });
    return (await this.factors.checkBeforeSession(guest, owner, typed))
      ? this.keyPage(proved, isConfirmed)
      : this.factorPage(proved, { field: 'factor', reason: 'codeWrong' });
  }

  private async store(proved: Proved, isConfirmed: boolean, answer: string): Promise<JourneyOutcome> {
    const { guest, owner, code } = proved;
    const place = placeOf(proved, isConfirmed);
    let exceptKey: string | undefined;
    try {
      const checked = await this.keys.check(place, answer);
      exceptKey = await this.changes.addKeyByCode(code, owner, checked);
      if (exceptKey === undefined) return this.refuse(guest, owner);
    } catch (error) {
      const refusal = this.keys.refusalOf(error, place, guest.address);
      // A form from before the account had a second step, or from another browser, leads to that step.
      if (isConfirmed && refusal.reason === 'formStale') return this.factorPage(proved, refusal);
      return this.keyPage(proved, isConfirmed, refusal);
    }
    const { visit } = guest;
    const otherWays = await this.otherWays.of(owner.userId, { exceptKey });
    const request = visit && withLoginName(visit.request, loginNameOf(owner));
    return { kind: 'done', what: 'passkeyDone', otherWays, request };
  }

  private factorPage(proved: Proved, ...errors: Array<FormError<PasskeyLinkField>>): JourneyOutcome {
    const page: LoginPage = {
      page: 'passkeyLink',
      asks: 'factor',
      form: this.nextForm(proved),
      account: loginNameOf(proved.owner),
      errors,
    };
    return { kind: 'page', page, status: errors.length > 0 ? 400 : 200 };
  }

  private async keyPage(
    proved: Proved,
    isConfirmed: boolean,
    ...errors: Array<FormError<PasskeyLinkField>>
  ): Promise<JourneyOutcome> {
    const form = this.nextForm(proved);
    const page: LoginPage = {
      page: 'passkeyLink',
      asks: 'key',
      passkey: await this.keys.request(placeOf(proved, isConfirmed), form, proved.guest.setting.brand),
      account: loginNameOf(proved.owner),
      errors,
    };
    return { kind: 'page', page, status: errors.length > 0 ? 400 : 200 };
  }

  private nextForm({ guest, typedCode }: Proved): FormTarget {
    const form = guest.formTo(this.path, { ...guest.link, asksName: false });
    return { ...form, fields: { ...form.fields, code: typedCode } };
  }

  private refuse({ address }: Guest, owner: CodeOwner | undefined): JourneyOutcome {
    this.log.warn({ reason: 'code.passkey_wrong', userId: owner?.userId, address }, 'code refused');
    return WRONG_CODE;
  }
}

function placeOf({ guest, owner, code }: Proved, isConfirmed: boolean): MailedKeyPlace {
  return { cookieValue: guest.browser.cookieValue, orgId: owner.orgId, code, isConfirmed };
}
