import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was proved, apart from what somebody said: domains by a record or a file, addresses by a code. The events of
 * existing rows tell, as far as they cannot have been made by a manager for himself.
 */
export class Proof1795219200055 implements MigrationInterface {
  readonly name = 'Proof1795219200055';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE org_domain ADD COLUMN is_proved boolean NOT NULL DEFAULT false`);
    await runner.query(
      `ALTER TABLE user_account
         ADD COLUMN email_proof text NOT NULL DEFAULT 'said',
         ADD COLUMN email_verified_at timestamptz,
         ADD COLUMN phone_verified_at timestamptz`,
    );
    await runner.query(
      `UPDATE org_domain d
       SET is_proved = true
       WHERE d.is_verified AND (
         SELECT e.type
         FROM event e
         WHERE e.aggregate_type = 'org' AND e.aggregate_id = d.org_id AND e.payload ->> 'domain' = d.domain
           AND e.type IN ('org.domain.added', 'org.domain.verified')
         ORDER BY e.sequence DESC
         LIMIT 1) = 'org.domain.verified'`,
    );
    // The event of a typed code has no payload; a change of the address has one, whoever made it.
    await runner.query(
      `UPDATE user_account u
       SET email_proof = 'owner', email_verified_at = proved.at
       FROM (
         SELECT e.aggregate_id AS id, max(e.sequence) AS sequence, max(e.created_at) AS at
         FROM event e
         WHERE e.type IN ('user.human.email.verified', 'user.human.initialization.check.succeeded')
           AND e.editor_id = e.aggregate_id AND e.payload = '{}'
         GROUP BY 1) proved
       WHERE u.id = proved.id AND u.email_verified AND NOT EXISTS (
         SELECT 1
         FROM event c
         WHERE c.aggregate_type = 'user' AND c.aggregate_id = u.id AND c.sequence > proved.sequence
           AND c.type IN ('user.human.email.changed', 'user.removed'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE org_domain DROP COLUMN is_proved');
    await runner.query(
      'ALTER TABLE user_account DROP COLUMN email_proof, DROP COLUMN email_verified_at, DROP COLUMN phone_verified_at',
    );
  }
}
