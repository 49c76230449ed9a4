import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Login names are made of the verified domains of an organization, however many others it has claimed; and the metadata
 * of a user are searched by the beginning of their keys.
 */
export class LongLists1795219200066 implements MigrationInterface {
  readonly name = 'LongLists1795219200066';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX org_domain_of_org_idx ON org_domain (org_id, domain) WHERE is_verified');
    await runner.query(
      'CREATE INDEX user_metadata_list_key_idx ON user_metadata (user_id, (lower(key) COLLATE "C"), key)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX user_metadata_list_key_idx');
    await runner.query('DROP INDEX org_domain_of_org_idx');
  }
}
