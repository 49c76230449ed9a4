import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../foundation/database/database.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { PartCalls, PartFailed } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { EndingTransaction } from '../foundation/extension/sql.js';
import { userRefused } from './user.errors.js';
import { USER_RULE, type UserDraft, type UserFacts, type UserRule, type UserVeto } from './user-rule.js';

const LIMIT_MS = 1_000;
const MAX_CHARACTERS = 500;

const FIELDS = [
  'userName',
  'firstName',
  'middleName',
  'lastName',
  'nickName',
  'displayName',
  'preferredLanguage',
  'email',
  'phone',
] as const satisfies ReadonlyArray<keyof UserFacts>;
type Field = (typeof FIELDS)[number];

type Stored = Pick<UserFacts, 'id' | 'orgId' | 'kind'> &
  Partial<Record<Field, string>> & { readonly serviceName?: string };

/** Asks the rules of extensions whether a user may be stored. */
@Injectable()
export class UserRules {
  constructor(
    @Inject(USER_RULE.token) private readonly rules: ReadonlyArray<Filled<UserRule>>,
    private readonly calls: PartCalls,
  ) {}

  /** @throws DomainError InvalidArgument `user.rule_refused`; Unavailable `extension.rule_unavailable` */
  async checkNew(tx: Transaction, user: Stored, editorId: string): Promise<void> {
    if (this.rules.length === 0) return;
    await this.ask(tx, { user: factsOf(user), before: undefined, editorId });
  }

  /** Asks only if the change is about something that rules see. @throws DomainError as `checkNew` */
  async checkChange(tx: Transaction, before: Stored, values: object, editorId: string): Promise<void> {
    if (this.rules.length === 0) return;
    const [user, old] = [factsOf({ ...before, ...values }), factsOf(before)];
    if (FIELDS.every((field) => user[field] === old[field])) return;
    await this.ask(tx, { user, before: old, editorId });
  }

  private async ask(tx: Transaction, draft: UserDraft): Promise<void> {
    for (const rule of this.rules) {
      const veto = await this.vetoOf(rule, Object.freeze(draft), tx);
      if (veto) throw userRefused(veto);
    }
  }

  private async vetoOf(of: Filled<UserRule>, draft: UserDraft, tx: Transaction): Promise<UserVeto | undefined> {
    const call = { seam: USER_RULE, of, limitMs: LIMIT_MS };
    const given = new EndingTransaction(tx, (error) => this.calls.noteKept(call, error));
    try {
      return await this.calls.call(call, async (rule, signal) => readVeto(await rule.check(draft, given, signal)));
    } catch (error) {
      if (!(error instanceof PartFailed)) throw error;
      throw new DomainError(
        'Unavailable',
        'extension.rule_unavailable',
        'Whether this user may be stored cannot be decided at the moment. Try again later.',
        { cause: error },
      );
    } finally {
      given.end();
    }
  }
}

function factsOf(user: Stored): UserFacts {
  const { id, orgId, kind, serviceName = '' } = user;
  const said = Object.fromEntries(FIELDS.map((field) => [field, user[field] ?? ''])) as Record<Field, string>;
  return Object.freeze({ id, orgId, kind, ...said, ...(kind === 'service' && { displayName: serviceName }) });
}

/** @throws Error for what is no veto: it must not be taken for a permission */
function readVeto(answer: unknown): UserVeto | undefined {
  if (answer === undefined) return undefined;
  const { field, message } = (answer ?? {}) as Partial<Record<keyof UserVeto, unknown>>;
  if (typeof message !== 'string' || message === '' || message.length > MAX_CHARACTERS)
    throw new Error(`A veto needs a message of 1 to ${MAX_CHARACTERS} characters.`);
  if (field === undefined) return { message };
  const known = FIELDS.find((each) => each === field);
  if (known === undefined) throw new Error(`The field of a veto is one of ${FIELDS.join(', ')}.`);
  return { field: known, message };
}
