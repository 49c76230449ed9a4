/** What is read of a table. */
export interface TableFacts {
  /** Beside `projections`, where the table of a view has its version in its name: `users14`. */
  readonly schema?: 'eventstore' | 'system';
  /** The name without the version. */
  readonly table: string;
  /** Of a view with several tables: `users14_humans`. */
  readonly part?: string;
  /** Columns without which the conversion would be wrong. */
  readonly needs: readonly string[];
  /** Columns that not every version has; NULL where they are missing. */
  readonly may?: readonly string[];
}

/** A table as statements name it. */
export interface Found {
  readonly name: string;
  /** Its columns for SELECT, each as itself, by the alias that the statement gives to the table. */
  readonly columns: (alias: string) => string;
}

const VIEWS = 'projections.';

interface ColumnRow {
  readonly table_schema: string;
  readonly table_name: string;
  readonly column_name: string;
}

/** Written into every row, and without meaning for what is kept, or asked for where it has one. */
const HOUSEKEEPING = [
  'creation_date',
  'change_date',
  'sequence',
  'instance_id',
  'resource_owner',
  'owner_removed',
  'state',
  'is_default',
];

/**
 * The tables that are there. A newer version of a view is another table, with a higher number, beside the former one;
 * so versions of the service are told apart by what is found, not by a list of them.
 */
export class Layout {
  private readonly tables = new Map<string, Set<string>>();
  private readonly asked = new Map<string, Set<string>>();

  constructor(columns: readonly ColumnRow[]) {
    for (const { table_schema: schema, table_name: table, column_name: column } of columns) {
      const name = `${schema}.${table}`;
      const known = this.tables.get(name) ?? new Set();
      this.tables.set(name, known.add(column));
    }
    if (![...this.tables.keys()].some((name) => name.startsWith('projections.')))
      throw new Error(
        'The database has no tables in the schema "projections" that this role may read: ' +
          'give the database of ZITADEL, and a role with USAGE on its schemas and SELECT on their tables.',
      );
  }

  /** @throws Error, naming what is missing */
  find(facts: TableFacts): Found {
    const found = this.findIfAny(facts);
    if (found) return found;
    throw new Error(
      `The database has no table ${fullNameOf(facts)} that this role may read. Versions 2.71, 3 and 4 have it.`,
    );
  }

  /** Undefined if there is no such table. @throws Error if a column is missing that is needed */
  findIfAny({ needs, may = [], ...facts }: TableFacts): Found | undefined {
    const name = this.newest(facts);
    if (name === undefined) return undefined;
    const known = this.tables.get(name)!;
    const missing = needs.filter((column) => !known.has(column));
    if (missing.length > 0)
      throw new Error(
        `The table ${name} has no column ${missing.join(', ')} that this role may read: ` +
          'it is of a version that is not known here, and nothing is converted in half.',
      );
    const asked = this.asked.get(name) ?? new Set();
    this.asked.set(name, asked);
    for (const column of [...needs, ...may]) asked.add(column);
    return {
      name,
      columns: (alias) =>
        [
          ...needs.map((column) => `${alias}.${column}`),
          ...may.map((column) => (known.has(column) ? `${alias}.${column}` : `NULL AS ${column}`)),
        ].join(', '),
    };
  }

  /** Columns of tables that are read which nothing has asked for. */
  *unread(): Generator<{ readonly table: string; readonly column: string }> {
    for (const [table, asked] of this.asked) {
      if (!table.startsWith('projections.')) continue;
      for (const column of this.tables.get(table)!)
        if (!asked.has(column) && !HOUSEKEEPING.includes(column)) yield { table, column };
    }
  }

  /** The newest tables of views that are not read, with the names that they have without a version. */
  *unreadTables(): Generator<{ readonly table: string; readonly view: string; readonly isOfInstance: boolean }> {
    const names = [...this.tables.keys()].filter((name) => name.startsWith(VIEWS));
    for (const table of names) {
      if (this.asked.has(table) || names.some((other) => table.startsWith(`${other}_`))) continue;
      const view = table.slice(VIEWS.length).replace(/\d+$/, '');
      if (this.newest({ table: view }) === table)
        yield { table, view, isOfInstance: this.tables.get(table)!.has('instance_id') };
    }
  }

  private newest({ schema, table, part }: Omit<TableFacts, 'needs'>): string | undefined {
    if (schema !== undefined) return this.tables.has(`${schema}.${table}`) ? `${schema}.${table}` : undefined;
    let [found, highest]: [string | undefined, number] = [undefined, -1];
    // The version of the parts is that of the view.
    const version = new RegExp(`^projections\\.${table}(\\d*)$`);
    for (const name of this.tables.keys()) {
      const [, digits] = version.exec(name) ?? [];
      if (digits === undefined || Number(digits) <= highest) continue;
      [found, highest] = [name, Number(digits)];
    }
    if (found === undefined || part === undefined) return found;
    return this.tables.has(`${found}_${part}`) ? `${found}_${part}` : undefined;
  }
}

function fullNameOf({ schema, table, part }: TableFacts): string {
  return `${schema ?? 'projections'}.${table}${schema === undefined ? '<N>' : ''}${part === undefined ? '' : `_${part}`}`;
}
