import { Injectable } from '@nestjs/common';
import { schemaNameOf } from '../../foundation/database/schema-change/ext-schema.js';
import { TABLE_FACTS } from '../../foundation/database/schema-change/table-facts.js';
import type { Queryable } from '../../foundation/database/statement.js';
import { LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { type MovedPart, movedPart } from './moved.part.js';
import { movedSources } from './moved-source.js';

/** The tables of the loaded extensions whose rows move with organizations. */
@Injectable()
export class MovedTables {
  constructor(private readonly loaded: LoadedExtensions) {}

  /** The ids of the extensions that are loaded. */
  get extensions(): readonly string[] {
    return this.loaded.extensions.map(({ id }) => id);
  }

  /** Their parts of a document, those that others refer to first, as the tables are now. */
  async parts(on: Queryable): Promise<readonly MovedPart[]> {
    const parts: MovedPart[] = [];
    for (const { id, moves } of this.loaded.extensions) {
      if (moves.length === 0) continue;
      const tables = await on.query(TABLE_FACTS, { schema: schemaNameOf(id) });
      const before = parts.length;
      // Names of temporary tables are short: those of two extensions must differ within 63 bytes.
      const stagedAs = (table: string): string => `ext_${before + moves.findIndex((moved) => moved.table === table)}`;
      parts.push(...movedSources(id, moves, tables, stagedAs).map(movedPart));
    }
    return parts;
  }
}
