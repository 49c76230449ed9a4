import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECORDED } from './tables/recorded.js';

const STATEMENTS = [
  `CREATE TABLE org_metadata (
     org_id text NOT NULL REFERENCES org ON DELETE CASCADE,
     key text NOT NULL,
     value bytea NOT NULL,
     ${RECORDED},
     PRIMARY KEY (org_id, key))`,
  // Metadata are searched by the beginning of their keys.
  `CREATE INDEX org_metadata_list_key_idx ON org_metadata (org_id, (lower(key) COLLATE "C"), key)`,
];

/** What applications keep about organizations. */
export class OrgMetadata1796032800600 implements MigrationInterface {
  readonly name = 'OrgMetadata1796032800600';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Reverting it would lose the values. */
  down(): Promise<void> {
    return Promise.reject(new Error('Metadata of organizations cannot be taken back: the values would be lost.'));
  }
}
