import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Policies of organizations and the instance: a table for each kind except the login policy, which came first. */
export class Policy1795219200004 implements MigrationInterface {
  readonly name = 'Policy1795219200004';

  private readonly statements = [
    `CREATE TABLE lockout_policy (
      owner_id text NOT NULL,
      max_password_attempts integer NOT NULL DEFAULT '0',
      max_otp_attempts integer NOT NULL DEFAULT '0',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT lockout_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE password_complexity_policy (
      owner_id text NOT NULL,
      min_length integer NOT NULL DEFAULT '8',
      has_uppercase boolean NOT NULL DEFAULT true,
      has_lowercase boolean NOT NULL DEFAULT true,
      has_number boolean NOT NULL DEFAULT true,
      has_symbol boolean NOT NULL DEFAULT true,
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT password_complexity_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE password_age_policy (
      owner_id text NOT NULL,
      max_age_days integer NOT NULL DEFAULT '0',
      expire_warn_days integer NOT NULL DEFAULT '0',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT password_age_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE privacy_policy (
      owner_id text NOT NULL,
      tos_link text NOT NULL DEFAULT '',
      privacy_link text NOT NULL DEFAULT '',
      help_link text NOT NULL DEFAULT '',
      support_email text NOT NULL DEFAULT '',
      docs_link text NOT NULL DEFAULT '',
      custom_link text NOT NULL DEFAULT '',
      custom_link_text text NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT privacy_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE notification_policy (
      owner_id text NOT NULL,
      password_change boolean NOT NULL DEFAULT true,
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT notification_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE domain_policy (
      owner_id text NOT NULL,
      user_login_must_be_domain boolean NOT NULL DEFAULT false,
      validate_org_domains boolean NOT NULL DEFAULT false,
      smtp_sender_address_matches_instance_domain boolean NOT NULL DEFAULT false,
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT domain_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE label_policy (
      owner_id text NOT NULL,
      primary_color text NOT NULL DEFAULT '#1d4a94',
      warn_color text NOT NULL DEFAULT '#b3261e',
      background_color text NOT NULL DEFAULT '#f2f4f7',
      font_color text NOT NULL DEFAULT '#14181f',
      primary_color_dark text NOT NULL DEFAULT '#a3c1fa',
      warn_color_dark text NOT NULL DEFAULT '#ffb4ab',
      background_color_dark text NOT NULL DEFAULT '#0d1015',
      font_color_dark text NOT NULL DEFAULT '#e9ecf1',
      hide_login_name_suffix boolean NOT NULL DEFAULT false,
      disable_watermark boolean NOT NULL DEFAULT false,
      theme_mode text NOT NULL DEFAULT 'auto',
      logo text NOT NULL DEFAULT '',
      logo_dark text NOT NULL DEFAULT '',
      icon text NOT NULL DEFAULT '',
      icon_dark text NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT label_policy_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE label_preview (
      owner_id text NOT NULL,
      primary_color text NOT NULL DEFAULT '#1d4a94',
      warn_color text NOT NULL DEFAULT '#b3261e',
      background_color text NOT NULL DEFAULT '#f2f4f7',
      font_color text NOT NULL DEFAULT '#14181f',
      primary_color_dark text NOT NULL DEFAULT '#a3c1fa',
      warn_color_dark text NOT NULL DEFAULT '#ffb4ab',
      background_color_dark text NOT NULL DEFAULT '#0d1015',
      font_color_dark text NOT NULL DEFAULT '#e9ecf1',
      hide_login_name_suffix boolean NOT NULL DEFAULT false,
      disable_watermark boolean NOT NULL DEFAULT false,
      theme_mode text NOT NULL DEFAULT 'auto',
      logo text NOT NULL DEFAULT '',
      logo_dark text NOT NULL DEFAULT '',
      icon text NOT NULL DEFAULT '',
      icon_dark text NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT '0',
      creation_date timestamptz NOT NULL DEFAULT now(),
      change_date timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT label_preview_pkey PRIMARY KEY (owner_id))`,
    `CREATE TABLE label_image (
      owner_id text NOT NULL,
      digest text NOT NULL,
      content_type text NOT NULL,
      content bytea NOT NULL,
      CONSTRAINT label_image_pkey PRIMARY KEY (owner_id, digest))`,
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = [
      'label_image',
      'label_preview',
      'label_policy',
      'domain_policy',
      'notification_policy',
      'privacy_policy',
      'password_age_policy',
      'password_complexity_policy',
      'lockout_policy',
    ];
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
  }
}
