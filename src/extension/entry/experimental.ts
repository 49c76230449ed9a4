/*
 * The entry `gatehouse/experimental`: what may change in a minor version. That an extension imports it is seen in its
 * review.
 */
import 'reflect-metadata';
import './one-copy.js';

export type {
  DomainError,
  DomainErrorOptions,
  FieldViolation,
  Kind,
} from '../../foundation/error/domain-error.js';
export {
  COMMAND,
  type CommandArguments,
  type CommandFacts,
  type CommandOption,
  type CommandSurroundings,
  command,
  type ExtCommand,
  type ProvidedCommand,
} from '../../foundation/extension/ext-command.js';
export type { Provided, Seam } from '../../foundation/extension/seam.js';
export type { Sql, SqlTransaction, SqlValues } from '../../foundation/extension/sql.js';
export { PASSWORD_FORM, type PasswordForm } from '../../foundation/password/ext-password-form.js';
export {
  type ExtObjectStore,
  OBJECT_STORE,
  ObjectExists,
  ObjectMissing,
  type ObjectStore,
} from '../../migration/storage/object-store.js';
export { PAGE_VIEW, type PageView } from '../../page/page-view.js';
export type { PageParts } from '../../page/part/ext-look.js';
export { type ExtPurge, PURGE, type PurgeTurn } from '../../process/housekeeping/ext-purge.js';
export {
  type ExtGrant,
  GRANT,
  type GrantDecision,
  type GrantedUser,
  type GrantParameter,
  type GrantQuestion,
  type GrantRefusal,
} from '../../project/client/ext-grant.js';
