import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../../src/extension/facade/database.js';
import { GatehouseServices } from '../../../src/extension/facade/gatehouse-services.js';
import { loginStepContract } from '../../../src/extension/testing/contract/login-step.contract.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import {
  LOGIN_STEP,
  type LoginStep,
  type StepForm,
  type StepReader,
  type StepResult,
  type Turn,
} from '../../../src/session/auth-request/ext-login-step.js';
import type { StepPage } from '../../../src/session/auth-request/step-page.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

/** Terms that everybody has to accept; `does` breaks it. */
@Injectable()
class TermsStep implements LoginStep {
  static does: {
    isDue?: (right: () => Promise<boolean>, turn: Turn) => Promise<boolean>;
    page?: (right: StepPage) => StepPage;
    submit?: (right: () => Promise<StepResult>, turn: Turn) => Promise<StepResult>;
  } = {};
  readonly name = 'accept';

  constructor(private readonly database: Database) {}

  async isDue(turn: Turn): Promise<boolean> {
    const right = async (): Promise<boolean> =>
      (await this.database.query('SELECT 1 FROM ext_terms.accepted WHERE user_id = :id', { id: turn.userId }))
        .length === 0;
    return (TermsStep.does.isDue ?? ((isDue) => isDue()))(right, turn);
  }

  async page({ displayName }: Turn, reader: StepReader): Promise<StepPage> {
    const right: StepPage = {
      title: reader.text('title'),
      body: [
        { kind: 'text', text: displayName },
        { kind: 'link', text: reader.text('title'), href: 'https://acme.example/terms' },
        { kind: 'check', name: 'accepted', label: reader.text('accept') },
      ],
      submit: reader.text('go'),
      decline: reader.text('no'),
    };
    return TermsStep.does.page?.(right) ?? right;
  }

  async submit(turn: Turn, form: StepForm, reader: StepReader): Promise<StepResult> {
    const right = async (): Promise<StepResult> => {
      if (form.find('accepted') !== 'on') return { kind: 'again', field: 'accepted', text: reader.text('missing') };
      await this.database.query('INSERT INTO ext_terms.accepted (user_id) VALUES (:id) ON CONFLICT DO NOTHING', {
        id: turn.userId,
      });
      return { kind: 'done' };
    };
    return (TermsStep.does.submit ?? ((submit) => submit()))(right, turn);
  }
}

@Module({ imports: [GatehouseServices], providers: [TermsStep] })
class TermsModule {}

const terms = defineExtension({
  id: 'terms',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: TermsModule,
  provides: [provide(LOGIN_STEP, TermsStep)],
  texts: {
    en: {
      title: 'Our terms',
      accept: 'I accept the terms',
      go: 'Continue',
      no: 'I do not',
      missing: 'Accept the terms.',
    },
  },
  schemaChanges: [
    {
      name: '1-accepted',
      up: 'CREATE TABLE accepted (user_id text PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE)',
    },
  ],
});

const world = await startWorld({ extensions: [terms] });
afterAll(() => world.close());

const input = { path: '/ui/login/ext/terms/accept', accept: { accepted: 'on' } };

describe('Terms of use keep the contract', () => {
  for (const { name, run } of loginStepContract(world, input)) it(name, run);
});

describe('The contract tells what is wrong with a step', () => {
  afterEach(() => {
    TermsStep.does = {};
  });

  it.each<[string, () => typeof TermsStep.does, RegExp, RegExp]>([
    [
      'is never due',
      () => ({ isDue: async () => false }),
      /comes after the proof/,
      /^After the password, TermsStep is left out: the application is answered with \{"code":/,
    ],
    [
      'throws',
      () => ({ isDue: () => Promise.reject(new Error('no table')) }),
      /comes after the proof/,
      /^It fails: POST \/ui\/login\/password answered 503/,
    ],
    [
      'hangs',
      () => ({ isDue: () => new Promise(() => undefined) }),
      /comes after the proof/,
      /^It fails: POST \/ui\/login\/password answered 503/,
    ],
    [
      'is due again once it is done',
      () => ({ isDue: async () => true }),
      /comes after the proof/,
      /^Once TermsStep is done, the application gets no code, but /,
    ],
    [
      'takes a form that is not filled in',
      () => doneByAnyForm(),
      /incomplete form/,
      /^After a form that is not filled in, TermsStep is left out/,
    ],
    [
      "takes one user's consent for all",
      () => ({ isDue: sharedConsent() }),
      /not another one's/,
      /^For another user of the same browser, TermsStep is left out/,
    ],
    [
      'shows no error',
      () => ({ submit: async (right) => ({ ...(await right()), text: ' ' }) as StepResult }),
      /incomplete form/,
      /./,
    ],
    [
      'fails for a form that comes twice',
      () => ({ submit: failsTwice() }),
      /sent twice/,
      /^A form of TermsStep that arrives twice is answered with 503/,
    ],
    [
      'has two fields of one name',
      () => ({ page: (page) => ({ ...page, body: [...page.body, ...page.body.slice(2)] }) }),
      /every language|comes after/,
      /./,
    ],
  ])('that %s', async (_, does, only, message) => {
    TermsStep.does = does();
    const found = await brokenIn(loginStepContract(world, input), only);
    expect(Object.values(found)[0]).toMatch(message);
  });

  /** Due until a form was sent, whatever is stored. */
  function doneByAnyForm(): typeof TermsStep.does {
    let isDone = false;
    return {
      submit: async () => {
        isDone = true;
        return { kind: 'done' };
      },
      isDue: async () => !isDone,
    };
  }

  /** As with a field of the part where a row belongs. */
  function sharedConsent(): (right: () => Promise<boolean>) => Promise<boolean> {
    let isAccepted = false;
    return async (right) => {
      if (!(await right())) isAccepted = true;
      return !isAccepted;
    };
  }

  function failsTwice(): (right: () => Promise<StepResult>, turn: Turn) => Promise<StepResult> {
    const known = new Set<string>();
    const second = Promise.withResolvers<void>();
    return async (right, { userId }) => {
      if (known.has(userId)) {
        second.resolve();
        throw new Error('duplicate key');
      }
      known.add(userId);
      // Shorter than the limit of a step: if there is no other one, this one is taken, and the test fails.
      await Promise.race([second.promise, sleep(4_000, undefined, { ref: false })]);
      return right();
    };
  }
});
