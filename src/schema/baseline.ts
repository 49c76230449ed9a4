import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FOUNDATION } from './tables/foundation.js';
import { IDP } from './tables/idp.js';
import { MAIL } from './tables/mail.js';
import { MIGRATION } from './tables/migration.js';
import { ORG } from './tables/org.js';
import { PROCESS } from './tables/process.js';
import { PROJECT } from './tables/project.js';
import { SEARCH, TRIGRAMS } from './tables/search.js';
import { SESSION } from './tables/session.js';
import { TEXT } from './tables/text.js';
import { TOKEN } from './tables/token.js';
import { USER } from './tables/user.js';
import { WEBHOOK } from './tables/webhook.js';

/** A table comes after those that it refers to. */
const TABLES = [
  ...[FOUNDATION, PROCESS, ORG, TEXT, USER, IDP, PROJECT, SESSION, TOKEN, MAIL, WEBHOOK, MIGRATION].flat(),
  TRIGRAMS,
];

/** Everything that an empty database needs. */
export class Baseline1795219200100 implements MigrationInterface {
  readonly name = 'Baseline1795219200100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    const [trigrams] = (await runner.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`)) as unknown[];
    if (trigrams !== undefined) for (const statement of SEARCH) await runner.query(statement);
  }

  /** Reverting it would mean to drop the database, which an operator does deliberately. */
  down(): Promise<void> {
    return Promise.reject(new Error('There is nothing before the first schema change.'));
  }
}
