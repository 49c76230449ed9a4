import {
  COLUMN_TYPES,
  isReference,
  type MovedReference,
  type MovedTable,
  type MovedValue,
  REFERRED_TABLES,
  type ReferredKind,
} from './moved-table.js';
import type { ColumnFacts, ForeignKeyFacts, TableFacts } from './table-facts.js';

/**
 * How the tables of an extension differ from what its `moves` say of them, each in a sentence with its remedy. The
 * declarations themselves are right (`moveMistakes`).
 */
export function movedTableMistakes(
  schema: string,
  moves: readonly MovedTable[],
  tables: readonly TableFacts[],
): string[] {
  return moves.flatMap((moved) => {
    const table = tables.find(({ name }) => name === moved.table);
    if (!table)
      return [
        `${schema} has no table ${moved.table}, which moves names. Create it in a schema change, or take it out of moves.`,
      ];
    return mistakesIn(moved, table).map((mistake) => `${schema}.${moved.table}${mistake}`);
  });
}

function mistakesIn(moved: MovedTable, table: TableFacts): string[] {
  const { columns, stays = [], belongsTo } = moved;
  const known = new Map(table.columns.map((column) => [column.name, column]));
  const missing = [...Object.keys(columns), ...stays].filter((name) => !known.has(name));
  if (missing.length > 0) return missing.map((name) => ` has no column ${name}, which moves names. Correct the name.`);
  const unsaid = table.columns.filter(({ name }) => !(name in columns) && !stays.includes(name));
  return [
    ...unsaid.map(
      ({ name }) =>
        ` has the column ${name}, of which moves says nothing. List it in columns, or in stays if it does not move.`,
    ),
    ...stays
      .map((name) => known.get(name)!)
      .filter(({ isNullable, isMade, default: value }) => !isNullable && !isMade && value === null)
      .map(({ name }) => `.${name} stays, and a row cannot do without it. Give it a default, or let it move.`),
    ...keyMistakes(moved, table),
    ...Object.entries(columns).flatMap(([name, form]) => columnMistakes(table, known.get(name)!, form)),
    ...(known.get(belongsTo)!.isNullable
      ? [
          `.${belongsTo} may be NULL, and such rows belong to nobody. Make it NOT NULL, or name another column in belongsTo.`,
        ]
      : []),
  ];
}

function keyMistakes({ columns }: MovedTable, { indexes }: TableFacts): string[] {
  const key = indexes.find(({ isPrimary }) => isPrimary)?.columns;
  if (key === undefined) return [' has no primary key. Give it one: an import finds by it the rows that are there.'];
  const secret = Object.entries(columns).find(([, form]) => form === 'secret')?.[0];
  return [
    ...key
      .filter((name) => !(name in columns))
      .map((name) => `.${name} is part of the primary key, and stays. List it in columns.`),
    ...(secret !== undefined && key.length > 1
      ? [`.${secret} is a secret, whose place is named by a primary key of one column. Give the table such a key.`]
      : []),
  ];
}

function columnMistakes(
  { foreignKeys, indexes }: TableFacts,
  { name, type, isMade }: ColumnFacts,
  form: MovedValue | MovedReference,
): string[] {
  const keys = foreignKeys.filter(({ columns }) => columns.includes(name));
  if (isMade)
    return [
      `.${name} gets its value from the database, which would be another one at the target. Use a key that the extension chooses, or let the column stay.`,
    ];
  if (keys.some(({ columns }) => columns.length > 1))
    return [`.${name} is part of a foreign key of several columns, which cannot move. Refer by one column.`];
  if (!isReference(form)) return [...valueMistakes(name, type, form), ...keys.map((key) => undeclared(name, key))];
  const isMeant = ({ isOwn, table, targets: [target] }: ForeignKeyFacts): boolean =>
    typeof form === 'object'
      ? isOwn && table === form.table
      : !isOwn && table === REFERRED_TABLES[form] && target === 'id';
  if (!keys.some(isMeant)) return [`.${name} has no foreign key to ${targetOf(form)}. Add one with ON DELETE CASCADE.`];
  const other = keys.find((key) => !isMeant(key));
  if (other) return [`.${name} has two foreign keys, also to ${other.table}. Refer to one table.`];
  if (indexes.some(({ columns, isPlain }) => isPlain && columns[0] === name)) return [];
  return [`.${name} lacks an index that begins with it: an export would read the whole table for each row.`];
}

function valueMistakes(name: string, type: string, form: MovedValue): string[] {
  if (COLUMN_TYPES[form].includes(type)) return [];
  const fitting = Object.entries(COLUMN_TYPES).find(([, types]) => types.includes(type))?.[0];
  const remedy =
    fitting === undefined
      ? `Columns that move are ${[...new Set(Object.values(COLUMN_TYPES).flat())].join(', ')}.`
      : `Say ${fitting}.`;
  return [`.${name} is ${type}, and moves says ${form}. ${remedy}`];
}

function undeclared(name: string, { isOwn, table }: ForeignKeyFacts): string {
  const kind = Object.entries(REFERRED_TABLES).find(([, of]) => !isOwn && of === table)?.[0];
  return `.${name} has a foreign key to ${table}, of which moves says nothing. Say ${kind ?? `{ table: '${table}' }`}.`;
}

function targetOf(form: ReferredKind | { readonly table: string }): string {
  return typeof form === 'object' ? form.table : `${REFERRED_TABLES[form]} (id)`;
}
