/*
 * The package `gatehouse`: what teams that extend Gatehouse import. Nothing else can be imported from it.
 */
import 'reflect-metadata';
import './one-copy.js';

export { ConfigError, type Environment } from '../../foundation/config/environment.js';
export { Secret } from '../../foundation/config/secret.js';
export type { SchemaChange } from '../../foundation/database/schema-change/ext-schema.js';
export type {
  MovedReference,
  MovedRow,
  MovedTable,
  MovedValue,
} from '../../foundation/database/schema-change/moved-table.js';
export {
  DomainError,
  type DomainErrorOptions,
  type FieldViolation,
  type Kind,
} from '../../foundation/error/domain-error.js';
export { EVENT_LISTENER, type EventListener, type HeardEvent } from '../../foundation/event/event-listener.js';
export {
  defineEvent,
  type EventMember,
  type EventMembers,
  type EventPayload,
  type ExtEvent,
  type ExtEventFacts,
} from '../../foundation/extension/ext-event.js';
export {
  defineExtension,
  type Extension,
  type ExtensionManifest,
  type ExtPermission,
  type ExtRole,
  type ExtTextsByLanguage,
} from '../../foundation/extension/extension.js';
export {
  type ExtensionSettings,
  type SettingsReader,
  settings,
} from '../../foundation/extension/extension-settings.js';
export { type Provided, provide, type Seam } from '../../foundation/extension/seam.js';
export type { Sql, SqlTransaction, SqlValues } from '../../foundation/extension/sql.js';
export type { JsonObject } from '../../foundation/outbound/outbound-client.js';
export { Clock } from '../../foundation/time/clock.js';
export {
  DIRECTORY_KIND,
  type DirectoryGiven,
  type DirectoryKind,
  type DirectoryNet,
  DirectoryRefused,
  type DirectoryTrial,
} from '../../idp/directory-kind.js';
export type { ExternalIdentity } from '../../idp/external-identity.js';
export {
  IDP_KIND,
  IdpAnswerRefused,
  type IdpForm,
  type IdpGiven,
  type IdpHttp,
  type IdpHttpAnswer,
  type IdpHttpRequest,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpMessage,
  type IdpMessageForm,
  type IdpReturn,
} from '../../idp/idp-kind.js';
export {
  MAIL_TRANSPORT,
  MailFailed,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
} from '../../mail/transport/mail-transport.js';
export { PAGE_SLOT, type PageQuestion, type PageSlot, type SlotPlace } from '../../page/part/page-slot.js';
export { createGatehouse, runGatehouse } from '../../process/start/gatehouse.js';
export type { Gatehouse, GatehouseHandler, GatehouseOptions } from '../../process/start/gatehouse-options.js';
export {
  LOGIN_STEP,
  type LoginStep,
  type StepDue,
  type StepForm,
  type StepReader,
  type StepResult,
  type Turn,
  type TurnBrowser,
} from '../../session/auth-request/ext-login-step.js';
export {
  PROTOCOL,
  type ProtocolTurn,
  type SignedIn,
  type SignedInUser,
  type SignInProtocol,
  type SignInRefusal,
} from '../../session/auth-request/ext-protocol.js';
export type { StepInput, StepPage, StepPart, StepText } from '../../session/auth-request/step-page.js';
export {
  CLAIMS,
  type ClaimsContributor,
  type ClaimsPlace,
  type ClaimsQuestion,
  type JsonValue,
} from '../../token/claims/claims-contributor.js';
export { USER_RULE, type UserDraft, type UserFacts, type UserRule, type UserVeto } from '../../user/user-rule.js';
export { type Caller, Callers } from '../facade/caller.js';
export { Database } from '../facade/database.js';
export type { Excerpt, MomentComparison, SelectedIds, TextComparison } from '../facade/filter.js';
export { GatehouseServices } from '../facade/gatehouse-services.js';
export { Journal, type NewExtEvent } from '../facade/journal.js';
export { Log, type LogFields } from '../facade/log.js';
export { type ApplicationPlace, type ManagedApplication, ManagedApplications } from '../facade/managed-applications.js';
export { type GrantTo, type ManagedGrant, ManagedGrants, type NewManagedGrant } from '../facade/managed-grants.js';
export {
  type GroupFilter,
  type GroupQuery,
  type ManagedGroup,
  type ManagedGroupMember,
  type ManagedGroupSettings,
  ManagedGroups,
} from '../facade/managed-groups.js';
export {
  type ManagedProfile,
  type ManagedUser,
  type ManagedUserChange,
  ManagedUsers,
  type NewManagedUser,
  type UserFilter,
  type UserQuery,
} from '../facade/managed-users.js';
export { type FoundOrganization, Organizations } from '../facade/organizations.js';
export { Outbound } from '../facade/outbound.js';
export { type PageRefusal, Pages } from '../facade/pages.js';
export { SignIns, type SignInWish } from '../facade/sign-ins.js';
export { type FoundUser, type ProviderAccountOfUser, Users } from '../facade/users.js';
export { type SecretPlace, Vault } from '../facade/vault.js';
