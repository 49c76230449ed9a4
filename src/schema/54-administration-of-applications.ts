import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An audience scope of the system project, by its id or by the operator's word (`URN_WORD`). */
const SYSTEM_AUDIENCE = `s.scope ~ ('^urn:([^:]+):iam:org:project:id:(\\1|' || (SELECT system_project_id FROM instance) || '):aud$')`;

/**
 * People allow applications to use the administrative API in their name, and owners of the instance decide which of
 * them may use all of their rights (docs/adr/0087). What applications outside of the system project had got without
 * being asked for ends here; access tokens without a family are refused by the API, since nobody has consented.
 */
export class AdministrationOfApplications1795219200054 implements MigrationInterface {
  readonly name = 'AdministrationOfApplications1795219200054';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE client ADD COLUMN administration text NOT NULL DEFAULT 'own_org'`);
    await runner.query(
      `CREATE TABLE consent (
         user_id text NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
         client_row_id text NOT NULL REFERENCES client (id) ON DELETE CASCADE,
         granted text[] NOT NULL,
         administration boolean NOT NULL,
         given_at timestamptz NOT NULL,
         PRIMARY KEY (user_id, client_row_id)
       )`,
    );
    await runner.query('CREATE INDEX consent_client_idx ON consent (client_row_id)');
    await runner.query(
      `UPDATE token_family f
       SET revoked_at = now()
       WHERE f.revoked_at IS NULL
         AND EXISTS (SELECT 1 FROM unnest(f.scopes) AS s (scope) WHERE ${SYSTEM_AUDIENCE})
         AND NOT EXISTS (
           SELECT 1
           FROM client c
           WHERE c.client_id = f.client_id AND c.project_id = (SELECT system_project_id FROM instance))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consent');
    await runner.query('ALTER TABLE client DROP COLUMN administration');
  }
}
