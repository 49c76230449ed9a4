import type { IssuerConfig } from '../foundation/config/config.js';
import { toSnakeCase } from '../foundation/database/snake-case.js';
import type { HashLimits } from '../foundation/password/hash-limits.js';
import type { ExtKinds } from '../idp/ext-kinds.js';
import { toDefaultDomain } from '../org/domain-name.js';
import type { ExtGrants } from '../project/client/ext-grants.js';
import type { RoleBook } from '../user/permission/role-book.js';
import type { DocumentHandler } from './document/document-reader.js';
import { Faults } from './document/faults.js';
import type { Container } from './document/frames.js';
import { quotedName, suggestionFor } from './document/member-name.js';
import { documentOfAnother } from './document/migration.errors.js';
import { isSetting } from './import-settings.js';
import { type MovedPart, memberOf } from './moved/moved.part.js';
import type { BulkConnection } from './part/bulk-connection.js';
import type { ClearSecretHasher, ClearSecrets, UnhashedRow } from './part/clear-secret.js';
import { domainStage, GIVEN_DOMAIN, ORG, orgStage } from './part/org.part.js';
import type { DocumentPart, Mark, Seals, Section } from './part/part.js';
import type { Row } from './part/stage.js';
import { loadSql, type Stage } from './part/stage.js';
import { EXPORT_PARTS, STAGES } from './parts.js';

const PARTS = new Map<string, DocumentPart>(
  EXPORT_PARTS.flatMap((part) => [
    [part.member, part],
    [toSnakeCase(part.member), part],
  ]),
);
const ABOUT_ORG = new Map([
  ['orgId', 'orgId'],
  ['org_id', 'orgId'],
  ['org', 'org'],
  ['orgState', 'orgState'],
  ['org_state', 'orgState'],
]);
/** Holds the rows of extensions, by extension and table. */
const EXTENSIONS = 'extensions';
const ORG_MEMBERS = [...new Set(ABOUT_ORG.values()), ...EXPORT_PARTS.map(({ member }) => member), EXTENSIONS];
/** Metadata that an export writes beside the organizations; an import ignores it. */
const SAID_OF_ITSELF: ReadonlySet<string> = new Set(['leftOut', 'left_out', 'usersWithKeys', 'users_with_keys']);
/** Root members by which the documents of other systems are recognized. */
const OF_OTHERS = new Map([
  ['realm', 'keycloak'],
  ['user_id', 'auth0'],
] as const);
const BATCH_ROWS = 1_000;
/** Limit for entries that precede the id of their organization. */
const MAX_EARLY = 20_000;
const MAX_EARLY_BYTES = 67_108_864;
/** Limit for waiting rows, besides their number: a row of metadata can reach a megabyte. */
const BATCH_CHARACTERS = 4_194_304;

interface OrgUnderWay {
  readonly at: string;
  readonly about: Record<string, unknown>;
  readonly early: Array<readonly [part: DocumentPart, path: string, value: unknown]>;
  readonly notes: Map<string, unknown[]>;
  earlyBytes: number;
  /** An empty object says nothing about any organization. */
  isEmpty: boolean;
  orgId: string | undefined;
  domains: number;
}

/** Splits a document into rows of the staging tables, and records every fault that an entry has on its own. */
export class DocumentStager implements DocumentHandler {
  readonly faults = new Faults();
  readonly settings: Record<string, unknown> = {};
  /** Unknown members of the request. */
  readonly unknownSettings: string[] = [];
  /** The rows of each table, as JSON or still to be hashed. */
  private readonly batches = new Map<Stage, Array<string | UnhashedRow>>();
  private org: OrgUnderWay | undefined;
  private orgs = 0;
  private holdsOrgs = false;
  private rows = 0;
  private waitingCharacters = 0;
  private counts = new Map<string, number>();
  private readonly moved: ReadonlyMap<string, MovedPart>;
  /** Whose tables are being read. */
  private extension = '';

  constructor(
    private readonly seals: Seals,
    private readonly hashLimits: HashLimits,
    private readonly book: RoleBook,
    private readonly kinds: ExtKinds,
    private readonly grants: ExtGrants,
    private readonly issuer: IssuerConfig,
    private readonly rpId: string | undefined,
    private readonly now: Date,
    private readonly extensions: readonly string[],
    moved: readonly MovedPart[],
  ) {
    this.moved = new Map(moved.map((part) => [part.member, part]));
  }

  /** How many of each kind were read since the last call. */
  takeCounts(): ReadonlyMap<string, number> {
    const taken = this.counts;
    this.counts = new Map();
    return taken;
  }

  /** How many rows were staged so far. */
  get rowTotal(): number {
    return this.rows;
  }

  /** The tables of which the document has rows, referenced ones first. */
  get stages(): readonly Stage[] {
    const moved = [...this.moved.values()].flatMap(({ stages }) => stages);
    return [...STAGES, ...moved].filter((stage) => this.batches.has(stage));
  }

  /** Whether the document contains no organization. */
  get isEmpty(): boolean {
    return !this.holdsOrgs;
  }

  /** @throws DomainError InvalidArgument `import.foreign` for a document of another system */
  knows(container: Container, name: string): boolean {
    const system = OF_OTHERS.get(name as 'realm');
    if (container !== 'org' && system !== undefined) throw documentOfAnother(system);
    if (container === 'request') return this.knowsSetting(name);
    if (container === 'data') return this.knowsMember(name);
    if (container !== 'org') return this.knowsOfExtension(container, name);
    this.org!.isEmpty = false;
    if (ABOUT_ORG.has(name) || PARTS.has(name) || name === EXTENSIONS) return true;
    this.faults.add(`${this.org!.at}.${quotedName(name)}`, suggestionFor(name, ORG_MEMBERS));
    return false;
  }

  /** What the extensions here lack is a fault: nothing could keep it. */
  private knowsOfExtension(container: 'extensions' | 'extension', name: string): boolean {
    const at = `${this.org!.at}.${EXTENSIONS}`;
    if (container === 'extensions') {
      this.extension = name;
      const isLoaded = this.extensions.includes(name);
      if (!isLoaded)
        this.faults.add(
          `${at}.${quotedName(name)}`,
          `is of an extension that is not loaded here; ${namesOf(this.extensions)}`,
        );
      return isLoaded;
    }
    const isMoved = this.moved.has(memberOf(this.extension, name));
    const tables = [...this.moved.values()].filter(({ extension }) => extension === this.extension);
    if (!isMoved)
      this.faults.add(
        `${at}.${this.extension}.${quotedName(name)}`,
        `is no table that the extension ${this.extension} moves here; ${namesOf(tables.map(({ table }) => table))}`,
      );
    return isMoved;
  }

  private knowsMember(name: string): boolean {
    if (name === 'orgs') return true;
    if (!SAID_OF_ITSELF.has(name)) this.faults.add(quotedName(name), suggestionFor(name, ['orgs']));
    return false;
  }

  private knowsSetting(name: string): boolean {
    if (isSetting(name)) return true;
    this.unknownSettings.push(name);
    return false;
  }

  setting(name: string, value: unknown): void {
    this.settings[name] = value;
  }

  orgBegins(index: number): void {
    this.orgs = index;
    this.org = {
      at: `orgs[${index}]`,
      about: {},
      early: [],
      notes: new Map(),
      earlyBytes: 0,
      isEmpty: true,
      orgId: undefined,
      domains: 0,
    };
  }

  entry(member: string, index: number | undefined, value: unknown, bytes: number): void {
    const { org } = this;
    if (!org && value === null) return; // The described system writes null for an excluded organization.
    if (!org)
      return this.faults.add(
        index === undefined ? member : `${member}[${index}]`,
        index === undefined ? 'must be a list' : 'must be an object',
      );
    const about = index === undefined ? ABOUT_ORG.get(member) : undefined;
    if (about !== undefined) return this.learn(org, about, value);
    if (value === null) return;
    const part = PARTS.get(member) ?? this.moved.get(member);
    if (!part) return this.faults.add(`${org.at}.${member}`, 'must be an object');
    const path = index === undefined ? `${org.at}.${part.member}` : `${org.at}.${part.member}[${index}]`;
    if ((index === undefined) !== (part.isSingle === true))
      return this.faults.add(`${org.at}.${part.member}`, part.isSingle ? 'must be an object' : 'must be a list');
    if (org.orgId !== undefined) return this.take(org, part, path, value);
    org.earlyBytes += bytes;
    if (org.early.length >= MAX_EARLY || org.earlyBytes > MAX_EARLY_BYTES)
      return this.faults.add(
        `${org.at}.orgId`,
        `must stand before the members of an organization that has more than ${MAX_EARLY} of them`,
      );
    org.early.push([part, path, value]);
  }

  orgEnds(): void {
    const { org } = this;
    if (!org) return;
    if (org.isEmpty) {
      this.org = undefined;
      return;
    }
    this.holdsOrgs = true;
    const before = this.faults.total;
    const { orgId, org: named, orgState } = ORG.read(org.about, org.at, this.faults);
    if (orgState === 'removed') this.faults.add(`${org.at}.orgState`, 'must not be removed');
    if (org.orgId === undefined && this.faults.total === before) this.faults.add(`${org.at}.orgId`, 'is required');
    for (const part of EXPORT_PARTS) part.finish?.(this.sectionOf(org, org.at));
    this.org = undefined;
    if (this.faults.total > before) return;
    const section = this.sectionOf(org, org.at);
    section.stage(
      orgStage,
      { id: orgId, name: named?.name ?? null, state: orgState === 'unspecified' ? null : orgState },
      { type: 'org', id: orgId, done: orgId },
    );
    if (org.domains > 0 || !named) return;
    section.stage(
      domainStage,
      {
        org_id: orgId,
        domain: toDefaultDomain(named.name, this.issuer.publicUrl),
        is_verified: true,
        is_primary: true,
        validation_type: 'unspecified',
        validation_token: '',
      },
      { type: GIVEN_DOMAIN, id: orgId },
    );
  }

  /** Sends waiting rows to the database: batches that are full, or all. */
  async flush(connection: BulkConnection, hasher: ClearSecretHasher, isEnd: boolean): Promise<void> {
    const isMuch = this.waitingCharacters >= BATCH_CHARACTERS;
    if (isMuch || isEnd) this.waitingCharacters = 0;
    for (const [stage, batch] of this.batches) {
      while (batch.length >= BATCH_ROWS || ((isMuch || isEnd) && batch.length > 0)) {
        const waiting = batch.splice(0, rowsAtOnce(batch));
        // A document that is refused anyway need not be staged.
        if (this.faults.total > 0) continue;
        const rows = waiting.filter((row) => typeof row === 'string');
        const hashed = await hasher.hashAll(
          stage,
          waiting.filter((row) => typeof row !== 'string'),
        );
        const all = [...rows, ...hashed.map((row) => JSON.stringify(row))];
        await connection.query(loadSql(stage), { rows: `[${all.join(',')}]` });
      }
    }
  }

  private learn(org: OrgUnderWay, name: string, value: unknown): void {
    org.about[name] = value;
    if (name !== 'orgId' || typeof value !== 'string' || value === '') return;
    org.orgId = value;
    for (const [part, path, early] of org.early.splice(0)) this.take(org, part, path, early);
  }

  private take(org: OrgUnderWay, part: DocumentPart, path: string, value: unknown): void {
    if (part.member === 'domains') org.domains += 1;
    const before = this.faults.total;
    const entry = part.message.read(value, path, this.faults);
    // An entry that could not be read is not checked further: one fault would be reported twice.
    if (this.faults.total === before) part.take(entry, this.sectionOf(org, path));
  }

  private sectionOf(org: OrgUnderWay, path: string): Section {
    const orgId = org.orgId ?? '';
    const { faults, seals, hashLimits, book, kinds, extensions, grants, now, rpId } = this;
    const { accessTokenHeaderType, publicUrl } = this.issuer;
    return {
      orgId,
      path,
      faults,
      seals,
      hashLimits,
      book,
      kinds,
      extensions,
      grants,
      now,
      accessTokenHeaderType,
      issuer: publicUrl,
      rpId,
      notes: org.notes,
      stage: (stage, row, mark, clear) => this.stage(stage, row, mark, clear, { orgId, path }),
    };
  }

  /** Notes on an entry go to its first row. */
  private judgeEarly(leftOut: string | undefined): Row {
    const notes = this.faults.takeNotes();
    return {
      _notes: notes.length === 0 ? null : JSON.stringify(notes),
      ...(leftOut === undefined ? {} : { _verdict: 'left_out', _reason: leftOut }),
    };
  }

  private stage(
    stage: Stage,
    row: Row,
    { type, id, done, at, leftOut }: Mark,
    clear: ClearSecrets | undefined,
    { orgId, path }: { readonly orgId: string; readonly path: string },
  ): void {
    const batch = this.batches.get(stage) ?? [];
    this.batches.set(stage, batch);
    this.rows += 1;
    this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
    const marked = {
      ...row,
      _org: orgId,
      _org_position: this.orgs,
      _path: at === undefined ? path : `${path}.${at}`,
      _type: type,
      _id: id,
      _done: done === undefined ? null : JSON.stringify(done),
      _position: this.rows,
      ...this.judgeEarly(leftOut),
    };
    const waiting = clear ? { row: marked, clear } : JSON.stringify(marked);
    if (typeof waiting === 'string') this.waitingCharacters += waiting.length;
    batch.push(waiting);
  }
}

function namesOf(known: readonly string[]): string {
  return known.length === 0 ? 'there is none' : `known are ${known.join(', ')}`;
}

/** The number of rows that fit into one statement. */
function rowsAtOnce(batch: ReadonlyArray<string | UnhashedRow>): number {
  let characters = 0;
  for (const [index, row] of batch.entries()) {
    if (index === BATCH_ROWS || characters >= BATCH_CHARACTERS) return index;
    characters += typeof row === 'string' ? row.length : 0;
  }
  return batch.length;
}
