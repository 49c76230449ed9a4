import { schemaNameOf } from '../../foundation/database/schema-change/ext-schema.js';
import { isReference, type MovedValue } from '../../foundation/database/schema-change/moved-table.js';
import { Message } from '../document/field.js';
import { type DocumentPart, hex, type Section, type Stored, textOf } from '../part/part.js';
import { movedStage } from './moved.stage.js';
import { fieldOf } from './moved-field.js';
import { factsOf, type MovedSource, placeOfSecret, quotedId } from './moved-source.js';

/** Microseconds, which a `Date` has not. */
const toWritten = (value: string): string => `CASE
    WHEN isfinite(${value}) THEN to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    ELSE ${value}::text
  END`;
/** A row may be long. */
const ROWS_AT_ONCE = 50;

type Row = Readonly<Record<string, unknown>>;

/** The rows of one table of an extension, as a list below `extensions`. */
export interface MovedPart extends DocumentPart {
  readonly extension: string;
  readonly table: string;
  /** `ext_hr.badge` */
  readonly kind: string;
  readonly secrets: readonly string[];
}

export function movedPart(source: MovedSource): MovedPart {
  const { extension, moved, key } = source;
  const { table, columns } = moved;
  const names = Object.keys(columns);
  const forms = new Map(names.map((name) => [name, valueOf(source, name)]));
  const stage = movedStage(source);
  const secrets = names.filter((name) => forms.get(name) === 'secret');
  const kind = `${schemaNameOf(extension)}.${table}`;
  const required = names.filter((name) => {
    const { isNullable, default: value } = factsOf(source, name);
    return key.includes(name) || !(isNullable || value !== null || forms.get(name) === 'secret');
  });
  return {
    extension,
    table,
    secrets,
    member: memberOf(extension, table),
    kind,
    number: 0,
    stages: [stage],
    message: new Message(
      Object.fromEntries(
        names.map((name) => [name, fieldOf(forms.get(name)!, factsOf(source, name), widest(source, name))]),
      ),
      required,
    ),
    take(entry, section) {
      const row: Row = entry;
      if (hasProblem(source, row, section)) return;
      const sealed = secrets.flatMap((name) =>
        row[name] === null
          ? []
          : [[name, section.seals.sealAt(placeOfSecret(source, name, row), textOf(row, name))] as const],
      );
      const raw = names.flatMap((name) => (Buffer.isBuffer(row[name]) ? [[name, hex(row[name])] as const] : []));
      section.stage(
        stage,
        { ...row, ...Object.fromEntries([...sealed, ...raw]) },
        { type: kind, id: key.map((name) => textOf(row, name)).join('_') },
      );
    },
    select: selectOf(source, forms),
    rowsAtOnce: ROWS_AT_ONCE,
    toEntry: (row: Stored, { withPasswords, seals }) => ({
      ...row,
      ...Object.fromEntries(
        secrets.map((name) => [
          name,
          withPasswords && row[name] !== null
            ? seals.openAt(placeOfSecret(source, name, row), textOf(row, name))
            : null,
        ]),
      ),
    }),
  };
}

/** As the reader names a list below `extensions`. */
export function memberOf(extension: string, table: string): string {
  return `extensions.${extension}.${table}`;
}

/** A reference holds what the column does to which it refers: an id of the product, or the key of another row. */
function valueOf(source: MovedSource, column: string): MovedValue {
  const form = source.moved.columns[column]!;
  if (!isReference(form)) return form;
  const { type } = factsOf(source, column);
  return type === 'uuid' ? 'uuid' : /int/.test(type) ? 'integer' : 'text';
}

/** How many columns the widest index has that limits the length of this one. */
function widest({ facts }: MovedSource, column: string): number {
  const sizes = facts.indexes
    .filter(({ method, columns }) => method === 'btree' && columns.includes(column))
    .map(({ columns }) => columns.length);
  return Math.max(0, ...sizes);
}

function selectOf(source: MovedSource, forms: ReadonlyMap<string, MovedValue>): string {
  const { rows, alias } = source.asTarget(source.key[0]!);
  const columns = [...forms].map(([name, form]) => {
    const value = `${alias}.${quotedId(name)}`;
    return `${form === 'time' ? toWritten(value) : value} AS ${quotedId(name)}`;
  });
  return `SELECT ${columns.join(', ')}
    FROM ${rows}
    ORDER BY root.id, ${source.key.map((name) => `${alias}.${quotedId(name)}`).join(', ')}`;
}

/** Asks the extension. What it throws is a fault of the row: a document must not end the import without a reason. */
function hasProblem({ extension, moved }: MovedSource, row: Row, { faults, path }: Section): boolean {
  let problem: string | undefined;
  try {
    problem = moved.problemOf?.(row);
  } catch {
    problem = `cannot be judged by the extension ${extension}`;
  }
  faults.addProblem(path, problem);
  return problem !== undefined;
}
