import { expect } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import {
  LOGIN_STEP,
  type LoginStep,
  type StepForm,
  type StepReader,
  type StepResult,
  type Turn,
} from '../../src/session/auth-request/ext-login-step.js';
import type { StepPage } from '../../src/session/auth-request/step-page.js';
import { pageOf } from '../login/turns.js';
import type { Arrival } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';

/** The terms that everybody has to accept; a new version is due again. */
@Injectable()
export class TermsStep implements LoginStep {
  static version = '1';
  readonly name = 'accept';

  constructor(private readonly database: Database) {}

  async isDue({ userId }: Turn): Promise<boolean> {
    const accepted = await this.database.query(
      'SELECT 1 FROM ext_terms.accepted WHERE user_id = :userId AND version = :version',
      { userId, version: TermsStep.version },
    );
    return accepted.length === 0;
  }

  async page({ displayName }: Turn, reader: StepReader): Promise<StepPage> {
    return {
      title: reader.text('title'),
      body: [
        { kind: 'text', text: `${reader.text('hello')}, ${displayName}!` },
        { kind: 'link', text: reader.text('title'), href: 'https://acme.example/terms' },
        { kind: 'check', name: 'accepted', label: reader.text('accept') },
        { kind: 'field', name: 'note', label: 'Note', optional: true },
      ],
      submit: reader.text('go'),
      decline: reader.text('no'),
    };
  }

  async submit({ userId }: Turn, form: StepForm, reader: StepReader): Promise<StepResult> {
    if (form.find('accepted') !== 'on') return { kind: 'again', field: 'accepted', text: reader.text('missing') };
    await this.database.query(
      `INSERT INTO ext_terms.accepted (user_id, version)
       VALUES (:userId, :version)
       ON CONFLICT DO NOTHING`,
      { userId, version: TermsStep.version },
    );
    return { kind: 'done' };
  }
}

/** A step that does whatever a test wants, and is usually not due. */
@Injectable()
export class OtherStep implements LoginStep {
  static does: { [Name in 'isDue' | 'page' | 'submit']?: (...given: never[]) => unknown } = {};
  readonly name = 'other';

  async isDue(...given: unknown[]): Promise<boolean> {
    return (await (OtherStep.does.isDue ?? (() => false))(...(given as never[]))) as boolean;
  }

  async page(...given: unknown[]): Promise<StepPage> {
    const plain = () => ({ title: 'Other', body: [], submit: 'Continue' });
    return (await (OtherStep.does.page ?? plain)(...(given as never[]))) as StepPage;
  }

  async submit(...given: unknown[]): Promise<StepResult> {
    return (await (OtherStep.does.submit ?? (() => ({ kind: 'done' })))(...(given as never[]))) as StepResult;
  }
}

@Module({ imports: [GatehouseServices], providers: [TermsStep] })
class TermsModule {}

@Module({ providers: [OtherStep] })
class OtherModule {}

export const terms = defineExtension({
  id: 'terms',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: TermsModule,
  provides: [provide(LOGIN_STEP, TermsStep)],
  texts: {
    en: {
      title: 'Our terms',
      hello: 'Welcome',
      accept: 'I accept the terms',
      go: 'Continue',
      no: 'I do not accept them',
      missing: 'Accept the terms to continue.',
    },
    de: { title: 'Unsere Bedingungen', accept: 'Ich stimme zu' },
  },
  schemaChanges: [
    {
      name: '1-accepted',
      up: `CREATE TABLE accepted (
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        version text NOT NULL,
        PRIMARY KEY (user_id, version)
      )`,
    },
  ],
});

export const other = defineExtension({
  id: 'other',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: OtherModule,
  provides: [provide(LOGIN_STEP, OtherStep)],
});

/** The form of the terms, filled in. */
export const accept = { decision: 'continue', accepted: 'on' };

/** A user who has yet to accept the terms, and the browser of an application. */
export class Newcomer {
  private constructor(
    readonly alice: TestPerson,
    readonly web1: RelyingParty,
  ) {}

  static async in(world: World): Promise<Newcomer> {
    const alice = await world.add.person({ orgId: (await world.cast.orgA).id });
    return new Newcomer(alice, new RelyingParty(world, await world.cast.web1));
  }

  /** Past the offer of a second factor, if there is one. */
  async pastOffer(client: RelyingParty, arrival: Arrival): Promise<Arrival> {
    const isOffer = arrival.page?.find('button[name="factor"][value="skip"]') != null;
    return isOffer ? client.browser.submit(arrival.page, { factor: 'skip' }) : arrival;
  }

  /** As far as the user comes with the password alone. */
  async enter(client = this.web1, person = this.alice): Promise<Arrival> {
    return this.pastOffer(client, await client.enter(await client.authorize(), person));
  }

  /** A user who has signed in and accepted the terms. */
  async signedIn(client = this.web1, person = this.alice): Promise<void> {
    const arrival = await client.browser.submit(pageOf(await this.enter(client, person)), accept);
    expect(client.toAnswer(arrival).code).toBeDefined();
  }
}
