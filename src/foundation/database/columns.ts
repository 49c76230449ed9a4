import { getMetadataArgsStorage } from 'typeorm';
import { SnakeNaming } from './snake-naming.js';

/** An entity, as its decorators know it. */
type Entity<Row> = abstract new () => Row;
type Property<Row> = keyof Row & string;

interface Column {
  readonly property: string;
  readonly name: string;
  /** The type as PostgreSQL writes it: `text[]`. */
  readonly type: string;
  /** The entity converts between the column and the property, which SQL does not. */
  readonly isConverted: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
}

const naming = new SnakeNaming();
const tables = new Map<Entity<unknown>, Table>();

/** The values of some columns, as a call gives them. */
export type ValuesOf<Row, Names extends keyof Row> = {
  readonly [Name in Names]: Row[Name] extends Array<infer Item> ? readonly Item[] : Row[Name];
};

/**
 * The columns of some properties as SQL expressions, `alias.user_id` by `userId`: for what is more than a list of
 * columns.
 * @throws Error if the entity has no such column
 */
export function expressionsOf<Row extends object, Name extends Property<Row>>(
  entity: Entity<Row>,
  alias: string,
  properties: readonly Name[],
): Readonly<Record<Name, string>> {
  const columns = chosen(entity, properties).map(({ name, property }) => [property, `${alias}.${name}`] as const);
  return Object.fromEntries(columns) as Record<Name, string>;
}

/**
 * The columns of an entity for a SELECT, `alias.user_id AS "userId", …`: all of them, or those of some properties.
 * Values arrive as the driver reads them; for a column that the entity converts, ask by name.
 * @throws Error if the entity has no such column
 */
export function columnsOf<Row extends object>(
  entity: Entity<Row>,
  alias: string,
  properties?: ReadonlyArray<Property<Row>>,
): string {
  return chosen(entity, properties)
    .map(({ name, property }) => `${alias}.${name}${name === property ? '' : ` AS "${property}"`}`)
    .join(', ');
}

/**
 * The columns of some properties as arguments of `json_build_object`: `'userId', alias.user_id, …`.
 * @throws Error if the entity has no such column
 */
export function membersOf<Row extends object>(
  entity: Entity<Row>,
  alias: string,
  properties: ReadonlyArray<Property<Row>>,
): string {
  return chosen(entity, properties)
    .map(({ name, property }) => `'${property}', ${alias}.${name}`)
    .join(', ');
}

/**
 * `INSERT INTO table (user_id, …) VALUES (:userId, …)`: all columns, or those of some properties. An array for a json
 * column must be given as its JSON text: the driver would write an array of PostgreSQL.
 * @throws Error if the entity has no such column
 */
export function insertInto<Row extends object>(entity: Entity<Row>, properties?: ReadonlyArray<Property<Row>>): string {
  const { into, values } = insertParts(entity, properties);
  return `${into} VALUES (${values})`;
}

/**
 * Like `insertInto`, once for each row of another part of a statement: `INSERT INTO table (user_id, …) SELECT :userId,
 * … FROM from`. `computed` are SQL expressions for further properties.
 */
export function insertForEach<Row extends object>(
  entity: Entity<Row>,
  properties: ReadonlyArray<Property<Row>>,
  from: string,
  computed: { readonly [Name in Property<Row>]?: string } = {},
): string {
  const { into, values } = insertParts(entity, properties, computed);
  return `${into} SELECT ${values} FROM ${from}`;
}

/**
 * The columns of some properties as those of a record in JSON, `"userId" text, "scopes" text[]`: for
 * `json_to_recordset(…) AS q(…)`.
 * @throws Error if the entity has no such column
 */
export function recordOf<Row extends object>(entity: Entity<Row>, properties: ReadonlyArray<Property<Row>>): string {
  return chosen(entity, properties)
    .map(({ property, type }) => `"${property}" ${type}`)
    .join(', ');
}

function insertParts(
  entity: Entity<object>,
  properties: readonly string[] | undefined,
  computed: Readonly<Record<string, string | undefined>> = {},
): { readonly into: string; readonly values: string } {
  const columns = [...chosen(entity, properties), ...chosen(entity, Object.keys(computed))];
  const names = columns.map(({ name }) => name).join(', ');
  return {
    into: `INSERT INTO ${tableOf(entity).name} (${names})`,
    values: columns.map(({ property }) => computed[property] ?? `:${property}`).join(', '),
  };
}

function chosen(entity: Entity<unknown>, properties: readonly string[] | undefined): readonly Column[] {
  const { columns } = tableOf(entity);
  if (properties === undefined) {
    const converted = [...columns.values()].filter(({ isConverted }) => isConverted);
    if (converted.length === 0) return [...columns.values()];
    const names = converted.map(({ property }) => property).join(', ');
    throw new Error(`${entity.name} converts ${names}: name the columns that are meant.`);
  }
  return properties.map((property) => {
    const column = columns.get(property);
    if (!column) throw new Error(`${entity.name} has no column for ${property}.`);
    return column;
  });
}

function tableOf(entity: Entity<unknown>): Table {
  const known = tables.get(entity);
  if (known) return known;
  const table = readTable(entity);
  tables.set(entity, table);
  return table;
}

/** Reads the decorators, also those of the base classes, which is possible before there is a connection. */
function readTable(entity: Entity<unknown>): Table {
  const storage = getMetadataArgsStorage();
  const declared = storage.tables.find(({ target }) => target === entity);
  if (!declared) throw new Error(`${entity.name} is not an entity.`);
  const lineage = lineageOf(entity);
  if (storage.embeddeds.some(({ target }) => lineage.includes(target))) {
    throw new Error(`${entity.name} embeds another class, for which there are no names here.`);
  }
  const columns = storage.columns
    .filter(({ target }) => lineage.includes(target))
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: naming.columnName(propertyName, options.name, []),
      type: `${String(options.type)}${options.array === true ? '[]' : ''}`,
      isConverted: options.transformer !== undefined,
    }));
  return {
    name: naming.tableName(entity.name, declared.name),
    columns: new Map(columns.map((column) => [column.property, column])),
  };
}

function lineageOf(entity: Entity<unknown>): unknown[] {
  const lineage: unknown[] = [];
  for (let one: unknown = entity; typeof one === 'function'; one = Object.getPrototypeOf(one)) lineage.push(one);
  return lineage;
}
