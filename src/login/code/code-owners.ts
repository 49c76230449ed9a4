import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import type { CodeField } from '../../page/code.page.js';
import type { FormError } from '../../page/part/form-error.js';
import { AccountCodes, type CodeOwner } from '../../user/account-codes.js';
import { UserService } from '../../user/user.service.js';
import type { Guest } from './guest.js';

/** Finds the owner of a code. */
@Injectable()
export class CodeOwners {
  constructor(
    private readonly codes: AccountCodes,
    private readonly users: UserService,
  ) {}

  /** Finds the user by the link, otherwise by the typed name. No page reveals whether there is such a user. */
  async find({ link, visit }: Guest): Promise<CodeOwner | undefined> {
    if (link.userId !== '') return this.codes.findOwner(link.userId, link.orgId);
    const account =
      link.loginName === undefined
        ? undefined
        : await this.users.findByLoginName(link.loginName, visit?.request.requiredOrgId ?? '');
    return account && this.codes.findOwner(account.userId);
  }
}

/** The fields that a form lacks to identify the user and the code. */
export function missingIn({ link }: Guest, form: Form): FormError<CodeField>[] {
  return [
    ...missingName(link),
    ...(form.find('code') === undefined ? [{ field: 'code', reason: 'codeMissing' } as const] : []),
  ];
}

/** Like `missingIn`, for requesting a new code. */
export function missingName({ asksName, loginName = '' }: Guest['link']): FormError<CodeField>[] {
  return asksName && loginName.trim() === '' ? [{ field: 'loginName', reason: 'loginNameMissing' }] : [];
}
