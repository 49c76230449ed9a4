import { Injectable } from '@nestjs/common';
import {
  Database,
  type LoginStep,
  type StepForm,
  type StepPage,
  type StepReader,
  type StepResult,
  type Turn,
} from 'gatehouse';
import { TermsSettings } from './terms.settings.js';

/** Due until the user has accepted this version of the terms. */
@Injectable()
export class TermsStep implements LoginStep {
  readonly name = 'accept';

  constructor(
    private readonly database: Database,
    private readonly settings: TermsSettings,
  ) {}

  async isDue({ userId }: Turn): Promise<boolean> {
    const sql = 'SELECT 1 FROM ext_terms.accepted WHERE user_id = :userId AND version = :version';
    const accepted = await this.database.query(sql, { userId, version: this.settings.version });
    return accepted.length === 0;
  }

  async page(_turn: Turn, reader: StepReader): Promise<StepPage> {
    return {
      title: reader.text('title'),
      body: [
        { kind: 'link', text: reader.text('read'), href: this.settings.url },
        { kind: 'check', name: 'accepted', label: reader.text('accept') },
      ],
      submit: reader.text('continue'),
      decline: reader.text('decline'),
    };
  }

  async submit({ userId, now }: Turn, form: StepForm, reader: StepReader): Promise<StepResult> {
    if (form.find('accepted') !== 'on') return { kind: 'again', field: 'accepted', text: reader.text('missing') };
    // A form may arrive twice.
    const sql = 'INSERT INTO ext_terms.accepted VALUES (:userId, :version, :now) ON CONFLICT DO NOTHING';
    await this.database.query(sql, { userId, version: this.settings.version, now });
    return { kind: 'done' };
  }
}
