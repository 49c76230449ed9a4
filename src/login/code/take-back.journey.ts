import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import type { Form } from '../../foundation/http/form.js';
import { MyRemoval } from '../../management/user/my-removal.js';
import { paths } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { codeLimits } from '../../session/proof/limits.js';
import { AccountRemovals } from '../../user/account-removals.js';
import type { Retry } from '../login-step.js';
import { type CodeJourney, type JourneyOutcome, WRONG_CODE } from './code-journey.js';
import type { Guest } from './guest.js';

/**
 * The link that takes a deleted account back. It opens the account and nothing else: its user has to sign in, with
 * everything that this takes.
 */
@Injectable()
export class TakeBackJourney implements CodeJourney {
  readonly path = paths.accountTakeBack;

  constructor(
    private readonly removals: AccountRemovals,
    private readonly removal: MyRemoval,
    private readonly attempts: AttemptService,
  ) {}

  async page(guest: Guest, retry?: Retry): Promise<LoginPage> {
    const { code } = guest.link;
    if (retry || code === undefined) return { page: 'takeBack' };
    const form = guest.formTo(this.path);
    return { page: 'takeBack', form: { ...form, fields: { ...form.fields, code } } };
  }

  async submit({ link, address }: Guest, form: Form): Promise<JourneyOutcome> {
    await this.attempts.count([codeLimits(link.userId, address).address]);
    const code = await this.removals.check(link.userId, form.find('code') ?? '');
    return code && (await this.removal.takeBack(code)) ? { kind: 'done', what: 'takenBack' } : WRONG_CODE;
  }
}
