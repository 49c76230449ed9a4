import { Injectable, Module } from '@nestjs/common';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../src/foundation/extension/sql.js';
import { USER_RULE, type UserDraft, type UserRule, type UserVeto } from '../../src/user/user-rule.js';

/** No name ends with -x, and no address is of the domain refused.test. */
@Injectable()
export class NoX implements UserRule {
  static asked: UserDraft[] = [];

  async check(draft: UserDraft, tx: SqlTransaction): Promise<UserVeto | undefined> {
    NoX.asked.push(draft);
    await tx.query('SELECT 1');
    const { firstName, userName, email } = draft.user;
    if (email.endsWith('@refused.test')) return { field: 'email', message: 'No address of refused.test.' };
    if (firstName.endsWith('-x')) return { field: 'firstName', message: 'No first name ends with -x.' };
    return userName.endsWith('-x') ? { message: 'No name ends with -x.' } : undefined;
  }
}

@Module({ providers: [NoX] })
class RulesModule {}

export const rules = defineExtension({
  id: 'rules',
  version: '1.0.0',
  gatehouse: '*',
  module: RulesModule,
  provides: [provide(USER_RULE, NoX)],
});
