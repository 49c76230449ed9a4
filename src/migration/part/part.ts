import type { AccessTokenHeaderType } from '../../config/config.js';
import type { HashLimits } from '../../crypto/hash-limits.js';
import type { ClearSecrets } from '../clear-secret.js';
import type { Faults } from '../document/faults.js';
import type { EntryOf, Fields, Message } from '../document/field.js';
import type { Stage } from '../stage.js';

/** A row for a staging table, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** What the answer and refusals say of a staged row. */
export interface Mark {
  /** The kind of object: `oidc_app`. */
  readonly type: string;
  /** In the forms of the reference: `orgId_domain`. */
  readonly id: string;
  /** What the answer lists when all went well: an id, or an object with several. Absent: nothing. */
  readonly done?: unknown;
  /** Why it is not imported although nothing is wrong with the document. */
  readonly leftOut?: string | undefined;
}

/** What an organization of the document brings, while it is read. */
export interface Section {
  readonly orgId: string;
  /** Where the entry at hand stands. */
  readonly path: string;
  readonly faults: Faults;
  readonly seals: Seals;
  readonly hashLimits: HashLimits;
  readonly now: Date;
  /** Of those whose entries choose none, as every document of another vendor. */
  readonly accessTokenHeaderType: AccessTokenHeaderType;
  /** To the members of one organization that belong together and are sent apart. */
  readonly notes: Map<string, unknown[]>;
  /** `clear`: what of the row is to be hashed first. */
  stage(stage: Stage, row: Row, mark: Mark, clear?: ClearSecrets): void;
}

/** Secrets that must be read back. */
export interface Seals {
  sealTotp(userId: string, orgId: string, seed: string): string;
  openTotp(userId: string, orgId: string, sealed: string): string;
  sealIdpSecret(idpId: string, orgId: string, secret: string): string;
  openIdpSecret(idpId: string, orgId: string, sealed: string): string;
  readonly isProduction: boolean;
}

/** What an export may tell. */
export interface Telling {
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
  /** The public parts of the keys of applications and service users. */
  readonly withKeys: boolean;
  /** Values are named as clients of another vendor know them: this installation has that vendor's word. */
  readonly forOthers: boolean;
  readonly seals: Seals;
}

/** A stored row, by the names of its columns. */
export type Stored = Readonly<Record<string, unknown>>;

/** One member of an organization of the document: how it is read from the database, and what becomes of it there. */
export interface Part<F extends Fields = Fields> {
  readonly member: string;
  readonly number: number;
  readonly message: Message<F>;
  /** An object rather than a list. */
  readonly isSingle?: boolean;
  /** Where its rows go, those first on which others hang. */
  readonly stages: readonly Stage[];
  /** What is wrong beyond the form goes into `section.faults`. */
  take(entry: EntryOf<F>, section: Section): void;
  /** The whole organization is read. */
  finish?(section: Section): void;
  /** `$1`: the organization, `$2`: all that are exported. Absent: read only, of older documents. */
  readonly select?: string;
  /** Exported on request alone. */
  readonly onlyWith?: 'withKeys';
  /** So few are read at a time, where a row may be long. */
  readonly rowsAtOnce?: number;
  /** The entry of a row; stands beside `select`. */
  tell?(row: Stored, telling: Telling): Partial<EntryOf<F>>;
}

/** Keeps the type of the entry while the part is declared, and forgets it in the list of parts. */
export function definePart<F extends Fields>(part: Part<F>): Part {
  return part as unknown as Part;
}

/** Of a stored row. */
export const textOf = (row: Stored, column: string): string => (row[column] as string | null) ?? '';
export const flagOf = (row: Stored, column: string): boolean => row[column] === true;
export const listIn = <Value extends string>(row: Stored, column: string): readonly Value[] =>
  (row[column] as Value[] | null) ?? [];
export const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Every project but the one of the service itself. */
export const NOT_SYSTEM = (column: string): string => `${column} <> (SELECT system_project_id FROM instance)`;

/*
 * How an export finds its rows: from what the organization ($1) owns to what hangs on each of those, one look-up by index after the
 * other. Written as plain joins, their order would be the planner's choice, and of an organization that was imported a moment ago
 * it knows nothing: it then takes the organization for a small one, and compares all of one table with all of another. OFFSET 0
 * keeps it from making joins of these.
 */
export const OWNED_USERS = '(SELECT id FROM user_account WHERE org_id = $1 ORDER BY id OFFSET 0)';
export const OWNED_PROJECTS = `(SELECT id FROM project WHERE org_id = $1 AND ${NOT_SYSTEM('id')} ORDER BY id OFFSET 0)`;
export const forEach = (select: string): string => `CROSS JOIN LATERAL (${select} OFFSET 0)`;
/** Whether a user, or a project, belongs to one of the organizations that are exported ($2). */
export const isExportedUser = (id: string): string =>
  `(SELECT o.org_id FROM user_account o WHERE o.id = ${id}) = ANY($2::text[])`;
export const isExportedProject = (id: string): string =>
  `(SELECT o.org_id FROM project o WHERE o.id = ${id} AND ${NOT_SYSTEM('o.id')}) = ANY($2::text[])`;
