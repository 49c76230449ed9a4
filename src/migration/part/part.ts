import type { AccessTokenHeaderType } from '../../foundation/config/config.js';
import type { SealedPlace } from '../../foundation/crypto/vault.js';
import type { HashLimits } from '../../foundation/password/hash-limits.js';
import type { ExtKinds } from '../../idp/ext-kinds.js';
import type { ExtGrants } from '../../project/client/ext-grants.js';
import type { RoleBook } from '../../user/permission/role-book.js';
import type { Faults } from '../document/faults.js';
import type { EntryOf, Fields, Message } from '../document/field.js';
import type { ClearSecrets } from './clear-secret.js';
import type { Row, Stage } from './stage.js';

/** How the answer and refusals refer to a staged row. */
export interface Mark {
  /** The kind of object: `oidc_app`. */
  readonly type: string;
  /** In the format of the reference: `orgId_domain`. */
  readonly id: string;
  /** What the answer lists on success: an id, or an object with several. Absent for nothing. */
  readonly done?: unknown;
  /** Where in the entry it is, if the entry has several of its kind. */
  readonly at?: string;
  /** Why the row is not imported although nothing is wrong with the document. */
  readonly leftOut?: string | undefined;
}

/** The organization that is being read. */
export interface Section {
  readonly orgId: string;
  /** Path of the current entry. */
  readonly path: string;
  readonly faults: Faults;
  readonly seals: Seals;
  readonly hashLimits: HashLimits;
  readonly book: RoleBook;
  /** The identity provider kinds of extensions. */
  readonly kinds: ExtKinds;
  /** The ids of the extensions that are loaded. */
  readonly extensions: readonly string[];
  /** The grants of extensions. */
  readonly grants: ExtGrants;
  readonly now: Date;
  /** Used by entries that choose none, as in every document of another vendor. */
  readonly accessTokenHeaderType: AccessTokenHeaderType;
  /** The address of this service. */
  readonly issuer: string;
  /** The domain of passkeys here; undefined where there are none. */
  readonly rpId: string | undefined;
  /** Members of one organization that belong together but are sent apart. */
  readonly notes: Map<string, unknown[]>;
  /** `clear`: values of the row that are still to be hashed. */
  stage(stage: Stage, row: Row, mark: Mark, clear?: ClearSecrets): void;
}

/** Secrets that must be readable again. */
export interface Seals {
  sealTotp(userId: string, orgId: string, seed: string): string;
  openTotp(userId: string, orgId: string, sealed: string): string;
  sealIdpSecret(idpId: string, orgId: string, secret: string): string;
  openIdpSecret(idpId: string, orgId: string, sealed: string): string;
  sealIdpSettings(idpId: string, orgId: string, secret: Readonly<Record<string, string>>): string;
  openIdpSettings(idpId: string, orgId: string, sealed: string): Readonly<Record<string, string>>;
  /** Of tables of extensions. */
  sealAt(place: SealedPlace, secret: string): string;
  openAt(place: SealedPlace, sealed: string): string;
  readonly isProduction: boolean;
}

/** What an export may include, and how. */
export interface ExportOptions {
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
  /** The public keys of applications and service users. */
  readonly withKeys: boolean;
  /** The passkeys and security keys of people. */
  readonly withPasskeys: boolean;
  /** Write values with the names that another vendor's clients expect; this installation uses that vendor's word. */
  readonly forOthers: boolean;
  readonly seals: Seals;
}

/** A stored row, by column name. */
export type Stored = Readonly<Record<string, unknown>>;

/** One member of an organization of the document: how it is read from the database and how it is imported. */
export interface DocumentPart<F extends Fields = Fields> {
  readonly member: string;
  /** The kind of its entries, where the member does not say it: `human_user` of `humanUsers`. */
  readonly kind?: string;
  readonly number: number;
  readonly message: Message<F>;
  /** An object rather than a list. */
  readonly isSingle?: boolean;
  /** The tables of its rows, referenced ones first. */
  readonly stages: readonly Stage[];
  /** Problems beyond the format go into `section.faults`. */
  take(entry: EntryOf<F>, section: Section): void;
  /** Called when the whole organization has been read. */
  finish?(section: Section): void;
  /**
   * `:orgId`: the organization, `:orgIds`: all exported organizations, `:withPasskeys`: that option. Absent for members
   * of older documents, which are never written.
   */
  readonly select?: string;
  /** The option with which alone it is exported. */
  readonly onlyWith?: 'withKeys';
  /** Rows per fetch, if rows may be long. */
  readonly rowsAtOnce?: number;
  /** The entry for a row; required with `select`. */
  toEntry?(row: Stored, options: ExportOptions): Partial<EntryOf<F>>;
}

/** Checks the type of the entry where the part is declared, and erases it for the list of parts. */
export function definePart<F extends Fields>(part: DocumentPart<F>): DocumentPart {
  return part as unknown as DocumentPart;
}

/** Values of a stored row. */
export const textOf = (row: Stored, column: string): string => (row[column] as string | null) ?? '';
export const flagOf = (row: Stored, column: string): boolean => row[column] === true;
export const listIn = <Value extends string>(row: Stored, column: string): readonly Value[] =>
  (row[column] as Value[] | null) ?? [];
export const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Every project but the system project. */
export const notSystem = (column: string): string => `${column} <> (SELECT system_project_id FROM instance)`;

/**
 * How an export finds its rows: from what the organization (`:orgId`) owns to what belongs to each of those, one index
 * look-up after another. With plain joins the planner would choose the order; knowing nothing about an organization
 * that was just imported, it takes it for a small one and compares whole tables with each other. OFFSET 0 prevents the
 * conversion into joins.
 */
export const OWNED_USERS = '(SELECT id FROM user_account WHERE org_id = :orgId ORDER BY id OFFSET 0)';
export const OWNED_PROJECTS = `(SELECT id FROM project WHERE org_id = :orgId AND ${notSystem('id')} ORDER BY id OFFSET 0)`;
export const forEach = (select: string): string => `CROSS JOIN LATERAL (${select} OFFSET 0)`;
/** Whether a user, or a project, belongs to one of the exported organizations (`:orgIds`). */
export const isExportedUser = (id: string): string =>
  `(SELECT o.org_id FROM user_account o WHERE o.id = ${id}) = ANY(:orgIds::text[])`;
export const isExportedProject = (id: string): string =>
  `(SELECT o.org_id FROM project o WHERE o.id = ${id} AND ${notSystem('o.id')}) = ANY(:orgIds::text[])`;

/** The earlier of two moments, for one that cannot be in the future; an absent one is taken for the other. */
export function earlier(one: Date | undefined, other: Date): Date {
  return one !== undefined && one < other ? one : other;
}
