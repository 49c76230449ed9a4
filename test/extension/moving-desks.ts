import { Injectable, Module } from '@nestjs/common';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { Vault } from '../../src/extension/facade/vault.js';
import type { MovedTable } from '../../src/foundation/database/schema-change/moved-table.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';

const TABLES = `
  CREATE TABLE office (
    org_id text PRIMARY KEY REFERENCES org (id) ON DELETE CASCADE,
    "order" text NOT NULL
  );
  CREATE TABLE badge (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    number text NOT NULL UNIQUE,
    level smallint NOT NULL DEFAULT 1 CONSTRAINT badge_level_check CHECK (level > 0),
    serial bigint,
    is_lost boolean NOT NULL DEFAULT false,
    issued_at timestamptz,
    photo bytea,
    doors text[],
    said jsonb,
    note varchar(5),
    pin text,
    seen integer NOT NULL DEFAULT 0
  );
  CREATE INDEX badge_user_idx ON badge (user_id);
  CREATE UNIQUE INDEX badge_number_lower_idx ON badge (lower(number));
  CREATE TABLE chip (
    id text PRIMARY KEY,
    badge_id uuid NOT NULL REFERENCES badge (id) ON DELETE CASCADE,
    code text NOT NULL
  );
  CREATE INDEX chip_badge_idx ON chip (badge_id);
  CREATE TABLE wire (
    chip_id text PRIMARY KEY REFERENCES chip (id) ON DELETE CASCADE
  );
  CREATE TABLE friend (
    user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    other_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, other_id)
  );
  CREATE INDEX friend_other_idx ON friend (other_id);
  CREATE TABLE visitor (id text PRIMARY KEY)`;

export const BADGE: MovedTable = {
  table: 'badge',
  belongsTo: 'user_id',
  columns: {
    id: 'uuid',
    user_id: 'user',
    number: 'text',
    level: 'integer',
    serial: 'integer',
    is_lost: 'boolean',
    issued_at: 'time',
    photo: 'bytes',
    doors: 'texts',
    said: 'json',
    note: 'text',
    pin: 'secret',
  },
  stays: ['seen'],
};

export const MOVES: readonly MovedTable[] = [
  { table: 'office', belongsTo: 'org_id', columns: { org_id: 'org', order: 'text' } },
  BADGE,
  { table: 'chip', belongsTo: 'badge_id', columns: { id: 'text', badge_id: { table: 'badge' }, code: 'secret' } },
  { table: 'wire', belongsTo: 'chip_id', columns: { chip_id: { table: 'chip' } } },
  { table: 'friend', belongsTo: 'user_id', columns: { user_id: 'user', other_id: 'user' } },
];

/** Seals what the tables hold. */
@Injectable()
export class DeskSecrets {
  constructor(readonly vault: Vault) {}
}

@Module({ imports: [GatehouseServices], providers: [DeskSecrets] })
class DeskModule {}

export function desksWith(moves: readonly MovedTable[] = MOVES, tables = TABLES): Extension {
  return defineExtension({
    id: 'desks',
    version: '1.0.0',
    gatehouse: '>=0.1.0',
    module: DeskModule,
    schemaChanges: [{ name: '1-desks', up: tables }],
    moves,
  });
}
