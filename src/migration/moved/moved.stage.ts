import { isThere } from '../../foundation/database/is-there.js';
import type { ReferredKind } from '../../foundation/database/schema-change/moved-table.js';
import { type Check, inQuotes, type Stage, staging, usable } from '../part/stage.js';
import { factsOf, type MovedSource, nameOfRow, placeOfSecret, quotedId, type Reference } from './moved-source.js';

/** A row of theirs can give access to what was there before. */
const GUARDED: ReadonlySet<ReferredKind> = new Set(['user', 'group', 'application']);
/** A colon before a digit, as in a slice of an array, would be taken for a parameter. */
const UNREADABLE = /:\d/;

/** Judges and writes the rows of a table by what the database knows of it. */
export function movedStage(source: MovedSource): Stage {
  const { extension, moved, facts, stagedAs, table, key, owner, others, ownerOf } = source;
  const names = Object.keys(moved.columns);
  const secrets = names.filter((name) => moved.columns[name] === 'secret');
  const defaults = names.flatMap((name) => {
    const { isNullable, default: value } = factsOf(source, name);
    return isNullable || value === null || key.includes(name) ? [] : [[quotedId(name), value] as const];
  });
  return {
    table,
    stagedAs,
    name: nameOfRow(extension, moved.table),
    key: key.map(quotedId),
    columns: names.map(quotedId),
    optional: [...secrets.map(quotedId), ...defaults.map(([name]) => name)],
    defaults: Object.fromEntries(defaults),
    ownerOf,
    sealed: secrets.map((column) => ({
      column: quotedId(column),
      place: (row) => placeOfSecret(source, column, row),
    })),
    uniques: facts.indexes
      .filter(({ isUnique, isPrimary, isPlain }) => isUnique && isPlain && !isPrimary)
      .filter(({ columns }) => columns.every((column) => names.includes(column)))
      .map(({ columns }) => ({
        columns: columns.map(quotedId),
        says: `has the ${columns.join(' and ')}`,
        value: columns.map((column) => inQuotes(`{}.${quotedId(column)}`)).join(` || ' and ' || `),
        holder: `' of another row here'`,
      })),
    checks: [
      ...leftBehind(owner, others),
      refersInside(owner, (r) => `${r}._org = s._org`),
      // An object that is new here belongs to the author of the document, whichever organization it is in.
      ...others.map((reference) => refersInside(reference, (r) => `(${r}._org = s._org OR ${r}._verdict IS NULL)`)),
      ...[owner, ...others].flatMap(outsideSystem),
      ...(GUARDED.has(owner.target.root) ? [isWithOwner(owner)] : []),
      ...secrets.filter((name) => !factsOf(source, name).isNullable).map(lacksSecret),
      ...facts.checks
        .filter(({ condition }) => !UNREADABLE.test(condition.replaceAll('::', '')))
        .map(
          ({ name, condition }): Check => ({
            breaks: () => `(${condition}) IS FALSE`,
            says: `breaks the rule ${name} of the table`,
            verdict: 'invalid',
          }),
        ),
    ],
  };
}

/** Rows that refer to one which was left out, in a table of the extension. */
function leftBehind(owner: Reference, others: readonly Reference[]): Check[] {
  return [owner, ...others]
    .filter(({ isOwn }) => isOwn)
    .map(({ column, target: { stage, key } }) => ({
      breaks: () => isThere(`${staging(stage)} r`, `r.${key} = s.${quotedId(column)} AND r._verdict = 'left_out'`),
      says: `refers by ${column} to a row that is left out`,
      verdict: 'left_out',
    }));
}

/** What it names is in the document, or stored in the organization under which the document has the row. */
function refersInside({ column, target: { stage, key } }: Reference, isMeant: (alias: string) => string): Check {
  const value = `s.${quotedId(column)}`;
  // An object that another organization has here is not the one that the document means.
  const isAnother = isThere(
    `${staging(stage)} d`,
    `d.${key} = ${value} AND NOT ${usable(true, 'd')} AND d._org IS DISTINCT FROM ${stage.ownerOf('r')}`,
  );
  return {
    breaks: (skip) => `${value} IS NOT NULL
      AND NOT ${isThere(`${staging(stage)} r`, `r.${key} = ${value} AND ${usable(skip)} AND ${isMeant('r')}`)}
      AND NOT ${isThere(
        `${stage.table} r`,
        `r.${key} = ${value} AND ${stage.ownerOf('r')} = s._org${skip ? ` AND NOT ${isAnother}` : ''}`,
      )}`,
    says: `names by ${column} ${stage.name} that is neither in the document nor in this organization`,
    verdict: 'invalid',
  };
}

/** To the project of the service itself nothing is imported. */
function outsideSystem({ column, target: { stage }, isOwn }: Reference): Check[] {
  const value = `s.${quotedId(column)}`;
  const system = '(SELECT system_project_id FROM instance)';
  const says = `names by ${column} what belongs to the service itself`;
  if (isOwn) return [];
  if (stage.table === 'project') return [{ breaks: () => `${value} = ${system}`, says, verdict: 'invalid' }];
  if (stage.table !== 'client') return [];
  return [
    { breaks: () => isThere('client c', `c.id = ${value} AND c.project_id = ${system}`), says, verdict: 'invalid' },
  ];
}

/**
 * As with keys and links: otherwise the author of a document could put somebody else's account or application into the
 * hands of another.
 */
function isWithOwner({ column, target: { stage, key } }: Reference): Check {
  return {
    breaks: () => isThere(`${stage.table} r`, `r.${key} = s.${quotedId(column)}`),
    says: `is new, and belongs to ${stage.name.replace(/^an? /, 'an existing ')}`,
    verdict: 'conflict',
  };
}

function lacksSecret(column: string): Check {
  return {
    breaks: () => `s.${quotedId(column)} IS NULL`,
    says: `lacks ${column}, a secret without which it cannot be: export with passwords`,
    verdict: 'left_out',
  };
}
