import type { INestApplicationContext } from '@nestjs/common';
import { CommandError } from './command-error.js';

/** @throws CommandError if the database is not as this version needs it: empty, or of an earlier version */
export async function checkSchema(services: INestApplicationContext): Promise<void> {
  const { Database } = await import('../../foundation/database/database.js');
  const { pendingSchemaChanges } = await import('../../foundation/database/schema-change/index.js');
  const { SCHEMA } = await import('../../schema/index.js');
  const { numberThisProcess } = await import('../../process/setup/process-number.js');
  const database = services.get(Database);
  const pending = await pendingSchemaChanges(database.source, SCHEMA);
  if (pending.length > 0)
    throw new CommandError(
      `The database lacks ${pending.length} schema ${pending.length === 1 ? 'change' : 'changes'} of this version. ` +
        'Start the service of this version first.',
    );
  await numberThisProcess(database); // ids need it
}
