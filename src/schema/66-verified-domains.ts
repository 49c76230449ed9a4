import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Login names are made of the verified domains of an organization, however many others it has claimed. */
export class VerifiedDomains1795219200066 implements MigrationInterface {
  readonly name = 'VerifiedDomains1795219200066';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX org_domain_of_org_idx ON org_domain (org_id, domain) WHERE is_verified');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX org_domain_of_org_idx');
  }
}
