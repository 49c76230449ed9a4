/**
 * What a column holds: `text`, `integer` (of any size), `boolean`, `time` (`timestamptz`), `json` (`jsonb`), `bytes`
 * (`bytea`), `uuid`, `texts` (`text[]`); `secret`: text that `Vault` has sealed, for the table, the column and the
 * primary key of the row, which is moved only if passwords are.
 * @public
 */
export type MovedValue = 'text' | 'integer' | 'boolean' | 'time' | 'json' | 'bytes' | 'uuid' | 'texts' | 'secret';

/**
 * What a column with a foreign key names: an object of Gatehouse, or the row of another table of the extension, which
 * stands above it in `moves`.
 * @public
 */
export type MovedReference = 'user' | 'group' | 'org' | 'project' | 'application' | { readonly table: string };

/**
 * A table of an extension whose rows move with an organization, in exports and imports. It is compared with the real
 * table at each start.
 * @public
 */
export interface MovedTable {
  /** Its name in the schema `ext_{id}`: `badge`. */
  readonly table: string;
  /**
   * The column that says whose a row is: a reference without NULL. A row moves with the organization of what it names,
   * and comes to the target together with it: none is added to a user, a group or an application that was there before.
   */
  readonly belongsTo: string;
  /** Every column that moves, with what it holds. NULL is left out of the document. */
  readonly columns: Readonly<Record<string, MovedValue | MovedReference>>;
  /** The columns that do not move; they are NULL at the target, or have their default. */
  readonly stays?: readonly string[];
  /**
   * What is wrong with a row that an import brings, beyond types and references: `has metadata that cannot be read`.
   * For what the operations of the extension would refuse as well. It is asked once for each row, and must not wait.
   */
  readonly problemOf?: (row: MovedRow) => string | undefined;
}

/** A row as a document has it, by column; what is NULL, or left out, is null. `bytes` are a Buffer. @public */
export type MovedRow = Readonly<Record<string, unknown>>;

/** The tables of the product that columns may refer to, by their `id`. */
export const REFERRED_TABLES = {
  user: 'user_account',
  group: 'user_group',
  org: 'org',
  project: 'project',
  application: 'client',
} as const;
export type ReferredKind = keyof typeof REFERRED_TABLES;

/** The types of columns for each value, as PostgreSQL calls them. */
export const COLUMN_TYPES: Readonly<Record<MovedValue, readonly string[]>> = {
  text: ['text', 'character varying'],
  integer: ['integer', 'bigint', 'smallint'],
  boolean: ['boolean'],
  time: ['timestamp with time zone'],
  json: ['jsonb'],
  bytes: ['bytea'],
  uuid: ['uuid'],
  texts: ['text[]'],
  secret: ['text'],
};

/** Lower case, so that it needs no care in SQL; not `_`, with which columns of ours begin. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;

export function isReferredKind(form: unknown): form is ReferredKind {
  return typeof form === 'string' && Object.hasOwn(REFERRED_TABLES, form);
}

export function isReference(form: MovedValue | MovedReference): form is MovedReference {
  return typeof form === 'object' || isReferredKind(form);
}

/** What is wrong with the declarations themselves, each in a sentence with its remedy. */
export function moveMistakes(owner: string, moves: readonly MovedTable[]): string[] {
  const tables = moves.map(({ table }) => table);
  const repeated = new Set(tables.filter((table, index) => tables.indexOf(table) !== index));
  return [
    ...[...repeated].map((table) => `The extension ${owner} moves the table ${table} several times. Keep one of them.`),
    ...moves.flatMap((moved, index) =>
      mistakesOf(moved, tables.slice(0, index)).map((mistake) => `The extension ${owner} moves the table ${mistake}`),
    ),
  ];
}

function mistakesOf({ table, belongsTo, columns, stays = [] }: MovedTable, above: readonly string[]): string[] {
  const badName = [table, ...Object.keys(columns), ...stays].find((name) => !NAME.test(name));
  if (badName !== undefined)
    return [
      `${JSON.stringify(table)}, where ${JSON.stringify(badName)} cannot be a name. Choose lower-case letters, digits and underscores, letter first.`,
    ];
  const owner = Object.entries(columns).find(([name]) => name === belongsTo)?.[1];
  const both = stays.filter((name) => name in columns);
  return [
    ...Object.entries(columns).flatMap(([name, form]) => formMistakes(table, name, form, above)),
    ...(owner === undefined || !isReference(owner)
      ? [
          `${table}, which belongs to ${JSON.stringify(belongsTo)}. Name the column that refers to a user, a group, an org, a project, an application or another table.`,
        ]
      : []),
    ...both.map((name) => `${table}, whose column ${name} both moves and stays. Keep one of them.`),
  ];
}

function formMistakes(
  table: string,
  name: string,
  form: MovedValue | MovedReference,
  above: readonly string[],
): string[] {
  if (typeof form === 'object') {
    if (above.includes(form.table)) return [];
    return [
      `${table}, whose column ${name} refers to ${JSON.stringify(form.table)}. Put that table above it in moves, because what others refer to comes first.`,
    ];
  }
  if (isReferredKind(form) || Object.hasOwn(COLUMN_TYPES, form)) return [];
  const known = [...Object.keys(COLUMN_TYPES), ...Object.keys(REFERRED_TABLES)].join(', ');
  return [
    `${table}, whose column ${name} holds ${JSON.stringify(form)}. Choose one of ${known}, or { table } for another table.`,
  ];
}
