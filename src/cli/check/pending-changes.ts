import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { pendingExtChanges } from '../../foundation/database/schema-change/ext-schema.js';
import { pendingSchemaChanges } from '../../foundation/database/schema-change/index.js';
import { unprepared } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { missing } from '../../process/setup/extension-register.js';
import { ExtensionRemainsService } from '../../process/setup/extension-remains.service.js';
import { MasterKeyCheck } from '../../process/setup/master-key-check.js';
import { SCHEMA } from '../../schema/index.js';
import { type Finding, fine, note, wrong } from '../doctor/finding.js';

/* False for an empty database, or one from before extensions. */
const SEEN = unprepared<object, { seen: boolean }>(
  `SELECT to_regclass('extension') IS NOT NULL AND to_regclass('event_cursor') IS NOT NULL AS seen`,
);

const HAS_INSTANCE = unprepared<object, { has: boolean }>(`SELECT to_regclass('instance') IS NOT NULL AS has`);

/** Names only columns that are as old as the table: the schema may be that of an older version. */
const INSTANCE = unprepared<object, { id: string; masterKeyCheck: string }>(
  'SELECT id, master_key_check AS "masterKeyCheck" FROM instance LIMIT 1',
);

/**
 * What the next start with these extensions changes in the database, what it misses there, and whether it can decrypt
 * it. Changes nothing.
 */
export async function pendingChanges(
  services: INestApplicationContext,
  extensions: readonly Extension[],
): Promise<Finding[]> {
  const database = services.get(Database);
  const findings = [
    ...(await ofMasterKey(services, database)),
    ...(await changesOf('Gatehouse', () => pendingSchemaChanges(database.source, SCHEMA))),
    ...(
      await Promise.all(
        extensions.map(({ id, schemaChanges, moves }) =>
          changesOf(`the extension ${id}`, () =>
            pendingExtChanges(database.source, { owner: id, changes: schemaChanges, moves }),
          ),
        ),
      )
    ).flat(),
    ...(await missingIn(services, database, extensions)),
  ];
  return findings.length > 0
    ? findings
    : [fine('database', 'The next start changes no table, and misses no extension.')];
}

async function ofMasterKey(services: INestApplicationContext, database: Database): Promise<Finding[]> {
  const [found] = await database.query(HAS_INSTANCE);
  const [instance] = found?.has === true ? await database.query(INSTANCE) : [];
  if (!instance) return [];
  try {
    services.get(MasterKeyCheck, { strict: false }).check(instance);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [wrong('keys', error.message)];
  }
}

async function changesOf(whose: string, pending: () => Promise<string[]>): Promise<Finding[]> {
  try {
    const names = await pending();
    const count = names.length === 1 ? 'a schema change' : `${names.length} schema changes`;
    if (names.length === 0) return [];
    return [note('database', `The next start makes ${count} of ${whose}: ${names.join(', ')}.`)];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [wrong('database', error.message)];
  }
}

async function missingIn(
  services: INestApplicationContext,
  database: Database,
  extensions: readonly Extension[],
): Promise<Finding[]> {
  const [found] = await database.query(SEEN);
  if (found?.seen !== true) return [];
  const remains = await services.get(ExtensionRemainsService, { strict: false }).list();
  const { refusals, warnings } = missing(remains, extensions);
  return [
    ...refusals.map((finding) => wrong('database', finding)),
    ...warnings.map((finding) => note('database', finding)),
  ];
}
