import type { SealedPlace } from '../../foundation/crypto/vault.js';
import { schemaNameOf } from '../../foundation/database/schema-change/ext-schema.js';
import {
  isReference,
  type MovedReference,
  type MovedTable,
  type ReferredKind,
} from '../../foundation/database/schema-change/moved-table.js';
import type { ColumnFacts, TableFacts } from '../../foundation/database/schema-change/table-facts.js';
import { clientStage } from '../part/client.stage.js';
import { groupStage } from '../part/group.part.js';
import { orgStage } from '../part/org.part.js';
import { forEach, notSystem, OWNED_PROJECTS, OWNED_USERS } from '../part/part.js';
import { projectStage } from '../part/project.part.js';
import type { OwnerOf, Stage } from '../part/stage.js';
import { userStage } from '../part/user.stage.js';

/** What rows refer to: objects of the product, or rows of another table of the extension. */
export interface Target {
  readonly stage: Pick<Stage, 'table' | 'stagedAs' | 'ownerOf' | 'name'>;
  readonly key: string;
  /** The kind of object to which it belongs in the end. */
  readonly root: ReferredKind;
  /** Whether an export has the object, if it has its organization: SQL over an alias. */
  readonly isExported: (alias: string) => string;
  /** What an export reads: rows of the alias `root` that belong to the organization `:orgId`. */
  readonly rows: string;
  /** The alias in `rows`. */
  readonly alias: string;
}

/** A column that refers to something. */
export interface Reference {
  readonly column: string;
  readonly target: Target;
  readonly isOwn: boolean;
}

/** A table of an extension that moves, as it is here. */
export interface MovedSource {
  readonly extension: string;
  readonly moved: MovedTable;
  readonly facts: TableFacts;
  readonly stagedAs: string;
  /** As SQL. */
  readonly table: string;
  readonly key: readonly string[];
  readonly owner: Reference;
  /** The references besides that to the owner. */
  readonly others: readonly Reference[];
  readonly ownerOf: OwnerOf;
  /** As others refer to it, by this column. */
  asTarget(key: string): Target;
}

/** Names are checked at the start; in quotes, so that no word of SQL is among them. */
export const quotedId = (name: string): string => `"${name}"`;

export function nameOfRow(extension: string, table: string): string {
  return `a row of ${table} of the extension ${extension}`;
}

export function factsOf({ facts }: Pick<MovedSource, 'facts'>, column: string): ColumnFacts {
  return facts.columns.find(({ name }) => name === column)!;
}

/** Where `Vault` of extensions seals a secret of the row. */
export function placeOfSecret(
  { extension, moved: { table }, key }: Pick<MovedSource, 'extension' | 'moved' | 'key'>,
  column: string,
  row: Readonly<Record<string, unknown>>,
): SealedPlace {
  const schema = schemaNameOf(extension);
  return { table: `${schema}.${table}`, column, row: String(row[key[0]!]), owner: schema };
}

const ROOTS: Readonly<Record<ReferredKind, Target>> = {
  user: rootOf('user', userStage, `${OWNED_USERS} root`),
  group: rootOf('group', groupStage, '(SELECT id FROM user_group WHERE org_id = :orgId ORDER BY id OFFSET 0) root'),
  org: rootOf('org', orgStage, '(SELECT :orgId::text AS id) root'),
  project: rootOf('project', projectStage, `${OWNED_PROJECTS} root`, (t) => notSystem(`${t}.id`)),
  // Applications with a metadata document come again by themselves.
  application: rootOf(
    'application',
    clientStage,
    `${OWNED_PROJECTS} p ${forEach(`SELECT id FROM client WHERE project_id = p.id AND origin <> 'document' ORDER BY id`)} root`,
    (t) => `${t}.origin <> 'document' AND ${notSystem(`${t}.project_id`)}`,
  ),
};

function rootOf(
  root: ReferredKind,
  stage: Stage,
  rows: string,
  isExported: Target['isExported'] = () => 'true',
): Target {
  return { stage, key: 'id', root, isExported, rows, alias: 'root' };
}

/** Puts the declared tables of an extension together with what the database knows of them. */
export function movedSources(
  extension: string,
  moves: readonly MovedTable[],
  tables: readonly TableFacts[],
  stagedAs: (table: string) => string,
): MovedSource[] {
  const sources: MovedSource[] = [];
  for (const moved of moves) {
    const facts = tables.find(({ name }) => name === moved.table);
    // A table that was there at the start and is gone: somebody has dropped the extension meanwhile.
    if (!facts) continue;
    const targetOf = (column: string, form: MovedReference): Target | undefined => {
      if (typeof form !== 'object') return ROOTS[form];
      const key = facts.foreignKeys.find(({ columns }) => columns[0] === column)?.targets[0];
      const source = sources.find(({ moved: { table } }) => table === form.table);
      return key === undefined ? undefined : source?.asTarget(key);
    };
    const references = Object.entries(moved.columns).flatMap(([column, form]): Reference[] => {
      if (!isReference(form)) return [];
      const target = targetOf(column, form);
      return target ? [{ column, target, isOwn: typeof form === 'object' }] : [];
    });
    const owner = references.find(({ column }) => column === moved.belongsTo);
    if (owner) sources.push(sourceOf(extension, moved, facts, stagedAs(moved.table), references, owner));
  }
  return sources;
}

function sourceOf(
  extension: string,
  moved: MovedTable,
  facts: TableFacts,
  stagedAs: string,
  references: readonly Reference[],
  owner: Reference,
): MovedSource {
  const table = `${quotedId(schemaNameOf(extension))}.${quotedId(moved.table)}`;
  const others = references.filter((reference) => reference !== owner);
  const { target } = owner;
  const column = quotedId(owner.column);
  const ownerOf: OwnerOf = (t) => {
    const of = `${t}_`;
    return `(SELECT ${target.stage.ownerOf(of)} FROM ${target.stage.table} ${of} WHERE ${of}.${target.key} = ${t}.${column})`;
  };
  const alias = stagedAs;
  const rows = `${target.rows} ${forEach(`
    SELECT * FROM ${table} t
    WHERE t.${column} = ${target.alias}.${target.key}${others.map((other) => ` AND ${leadsInside(other, 't')}`).join('')}`)} ${alias}`;
  const source: MovedSource = {
    extension,
    moved,
    facts,
    stagedAs,
    table,
    key: facts.indexes.find(({ isPrimary }) => isPrimary)?.columns ?? [],
    owner,
    others,
    ownerOf,
    asTarget: (key) => ({
      stage: { table, stagedAs, ownerOf, name: nameOfRow(extension, moved.table) },
      key: quotedId(key),
      root: target.root,
      isExported: (t) => references.map((reference) => leadsInside(reference, t)).join(' AND '),
      rows,
      alias,
    }),
  };
  return source;
}

/** Whether a reference leads to what the same export has. One that leads elsewhere would lead nowhere at the target. */
function leadsInside({ column, target }: Reference, t: string): string {
  const of = `${t}_${shortened(column)}`;
  const value = `${t}.${quotedId(column)}`;
  return `(${value} IS NULL OR (
    SELECT ${target.stage.ownerOf(of)}
    FROM ${target.stage.table} ${of}
    WHERE ${of}.${target.key} = ${value} AND ${target.isExported(of)}
  ) = ANY(:orgIds::text[]))`;
}

/** Part of an alias: names longer than 63 bytes are cut. */
const shortened = (column: string): string => column.slice(0, 8);
