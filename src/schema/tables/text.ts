import { RECORDED } from './recorded.js';

/** Texts of mails and pages that replace built-in ones. */
export const TEXT: readonly string[] = [
  `CREATE TABLE message_text (
     owner_id text NOT NULL,
     kind text NOT NULL,
     language text NOT NULL,
     title text NOT NULL DEFAULT '',
     pre_header text NOT NULL DEFAULT '',
     subject text NOT NULL DEFAULT '',
     greeting text NOT NULL DEFAULT '',
     text text NOT NULL DEFAULT '',
     button_text text NOT NULL DEFAULT '',
     footer_text text NOT NULL DEFAULT '',
     ${RECORDED},
     PRIMARY KEY (owner_id, kind, language))`,
  `CREATE TABLE login_text (
     owner_id text NOT NULL,
     language text NOT NULL,
     texts jsonb NOT NULL DEFAULT '{}',
     ${RECORDED},
     PRIMARY KEY (owner_id, language))`,
];
