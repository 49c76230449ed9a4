import { Injectable } from '@nestjs/common';
import type { Form } from '../../http/form.js';
import type { CodeField } from '../../page/code.page.js';
import type { FormError } from '../../page/part/form-error.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.service.js';
import { UserService } from '../../user/user.service.js';
import type { Guest } from './guest.js';

/** Whom a code is for. */
@Injectable()
export class CodeOwners {
  constructor(
    private readonly codes: AccountCodes,
    private readonly users: UserService,
  ) {}

  /** Of the link, else of the name that was typed. No page tells whether there is somebody. */
  async find({ link, visit }: Guest): Promise<CodeOwner | undefined> {
    if (link.userId !== '') return this.codes.findOwner(link.userId, link.orgId);
    const account =
      link.loginName === undefined
        ? undefined
        : await this.users.findByLoginName(link.loginName, visit?.request.requiredOrgId ?? '');
    return account && this.codes.findOwner(account.userId);
  }
}

/** What a form leaves out that it takes to know the person and the code. */
export function missingIn({ link }: Guest, form: Form): FormError<CodeField>[] {
  return [
    ...missingName(link),
    ...(form.find('code') === undefined ? [{ field: 'code', reason: 'codeMissing' } as const] : []),
  ];
}

/** The same for whoever wants a new code. */
export function missingName({ asksName, loginName = '' }: Guest['link']): FormError<CodeField>[] {
  return asksName && loginName.trim() === '' ? [{ field: 'loginName', reason: 'loginNameMissing' }] : [];
}
