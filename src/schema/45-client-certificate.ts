import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications that authenticate by a certificate, or bind their tokens to one (RFC 8705). */
export class ClientCertificate1795219200045 implements MigrationInterface {
  readonly name = 'ClientCertificate1795219200045';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE client
         ADD COLUMN tls_bound_access_tokens boolean NOT NULL DEFAULT false,
         ADD COLUMN tls_client_name_type text NOT NULL DEFAULT 'unspecified',
         ADD COLUMN tls_client_name text NOT NULL DEFAULT ''`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE client DROP COLUMN tls_client_name, DROP COLUMN tls_client_name_type, DROP COLUMN tls_bound_access_tokens',
    );
  }
}
