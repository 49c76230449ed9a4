import { Module } from '@nestjs/common';
import { defineExtension, GatehouseServices, LOGIN_STEP, PAGE_SLOT, provide, settings } from 'gatehouse';
import { TermsNote } from './terms.note.js';
import { readSettings, TermsSettings } from './terms.settings.js';
import { TermsStep } from './terms.step.js';
import { texts } from './terms.texts.js';

@Module({ imports: [GatehouseServices], providers: [TermsStep, TermsNote] })
class TermsModule {}

export default defineExtension({
  id: 'terms',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: TermsModule,
  provides: [provide(LOGIN_STEP, TermsStep), provide(PAGE_SLOT, TermsNote)],
  texts,
  assets: new URL('../assets/', import.meta.url),
  schemaChanges: [
    {
      name: '1-accepted',
      up: `CREATE TABLE accepted (
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        version text NOT NULL,
        accepted_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, version)
      )`,
    },
  ],
  settings: settings(TermsSettings, readSettings),
});
