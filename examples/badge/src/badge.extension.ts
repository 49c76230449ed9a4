import { Module } from '@nestjs/common';
import { defineExtension, GatehouseServices, provide, settings } from 'gatehouse';
import { GRANT } from 'gatehouse/experimental';
import { BadgeGrant } from './badge.grant.js';
import { BadgeSettings, readSettings } from './badge.settings.js';

@Module({ imports: [GatehouseServices], providers: [BadgeGrant] })
class BadgeModule {}

export default defineExtension({
  id: 'badge',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: BadgeModule,
  provides: [provide(GRANT, BadgeGrant)],
  schemaChanges: [
    {
      name: '1-badge',
      up: `CREATE TABLE badge (
        number text PRIMARY KEY,
        user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
        pin_hash text NOT NULL
      );
      CREATE INDEX badge_user_id_idx ON badge (user_id)`,
    },
  ],
  settings: settings(BadgeSettings, readSettings),
});
