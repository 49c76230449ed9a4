import type { System, View } from './system.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Row = Readonly<Record<string, Json>>;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Fields whose values are words of an enumeration: `USER_STATE_ACTIVE`. */
const CHOSEN = /^(state|type|kind|\w+(State|Type))$/;
/** Fields that refer to something with a name. */
const REFERENCE = /^(resourceOwner|\w+Id)$/;
const MAX_COLUMNS = 7;

/** More rows than a reader looks through, and more than a browser draws quickly. */
const MAX_ROWS = 200;

/** The known ids in answers. */
export interface KnownIds {
  readonly nameOf: (id: string) => string | undefined;
  /** Whether the forms could name the object. */
  readonly isKnown: (id: string) => boolean;
  /** Lets the forms name the object from now on. */
  readonly use: (id: string) => void;
}
const NAMES = ['displayName', 'name', 'userName', 'firstName', 'lastName', 'email', 'subject'];
const LISTS = ['result', 'events'];
const FRAME = '/docs/preview.html';

export interface Answer {
  readonly content: unknown;
  readonly contentType: unknown;
  readonly url: unknown;
}

/** A response, for people; the response itself stands below. @returns undefined if there is nothing to add */
export function readableView(React: System['React'], { content, contentType, url }: Answer, known: KnownIds): View {
  if (typeof content !== 'string' || !/json/i.test(String(contentType))) return undefined;
  const answer = parse(content);
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return undefined;
  if (String(url).includes('/_preview') && typeof answer['html'] === 'string') return previewOf(React, answer);
  if (typeof answer['message'] === 'string' && typeof answer['code'] === 'number') return refusalOf(React, answer);
  const rows = LISTS.map((name) => answer[name]).find((list) => Array.isArray(list));
  if (!Array.isArray(rows)) return objectOf(React, answer, known);
  if (rows.length === 0) return React.createElement('p', { className: 'docs-empty' }, 'Nothing was found.');
  return rows.every(isRow) ? tableOf(React, rows, known) : undefined;
}

/** The mail as its reader sees it, in a document of its own in which no script of the mail can run. */
function previewOf({ createElement: h }: System['React'], { subject, html }: Row): View {
  return h(
    'figure',
    { className: 'docs-preview' },
    typeof subject === 'string' && h('figcaption', null, subject),
    h('iframe', {
      title: 'Preview',
      src: FRAME,
      sandbox: 'allow-scripts',
      onLoad: ({ target }: { target: HTMLIFrameElement }) => target.contentWindow?.postMessage(html, '*'),
    }),
  );
}

function refusalOf({ createElement: h }: System['React'], { message, details }: Row): View {
  const violations = (Array.isArray(details) ? details : []).flatMap((one) =>
    isRow(one) && Array.isArray(one['fieldViolations']) ? one['fieldViolations'].filter(isRow) : [],
  );
  return h(
    'div',
    { className: 'docs-refusal', role: 'alert' },
    h('p', null, message),
    violations.length > 1 &&
      h(
        'ul',
        null,
        violations.map(({ field, description }, index) =>
          h('li', { key: index }, h('code', null, field), ' ', description),
        ),
      ),
  );
}

/** One object, or the known members of a new one: its fields one below the other. */
function objectOf(React: System['React'], answer: Row, known: KnownIds): View {
  const h = React.createElement;
  const fields = [...flatten(answer)].filter(([, value]) => isTold(value));
  if (fields.length < 2) return undefined;
  return h(
    'div',
    { className: 'docs-table', tabIndex: 0, role: 'region', 'aria-label': 'Response as a table' },
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        fields.map(([name, value]) =>
          h('tr', { key: name }, h('th', { scope: 'row' }, name), h('td', null, cell(React, name, value, known))),
        ),
      ),
    ),
  );
}

function tableOf(React: System['React'], rows: readonly Row[], known: KnownIds): View {
  const h = React.createElement;
  const flat = rows.slice(0, MAX_ROWS).map(flatten);
  const columns = columnsOf(flat);
  return h(
    'div',
    { className: 'docs-table', tabIndex: 0, role: 'region', 'aria-label': 'Response as a table' },
    h(
      'table',
      null,
      rows.length > MAX_ROWS && h('caption', null, `The first ${MAX_ROWS} of ${rows.length}`),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          columns.map((name) => h('th', { key: name, scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        null,
        flat.map((row, index) =>
          h(
            'tr',
            { key: index },
            columns.map((name) => h('td', { key: name }, cell(React, name, row.get(name), known))),
          ),
        ),
      ),
    ),
  );
}

/** `human.profile.displayName` is the column displayName. */
function flatten(row: Row): Map<string, Json> {
  const flat = new Map<string, Json>();
  const look = (value: Row): void => {
    for (const [name, inner] of Object.entries(value)) {
      if (isRow(inner)) look(inner);
      else if (!flat.has(name)) flat.set(name, inner);
    }
  };
  look(row);
  return flat;
}

function columnsOf(rows: ReadonlyArray<Map<string, Json>>): string[] {
  const names = new Set(rows.flatMap((row) => [...row].filter(([, value]) => isTold(value)).map(([name]) => name)));
  // A sentence says everything; the id leads on.
  if (names.has('sentence')) return ['creationDate', 'sentence', 'id'];
  const ranked = ['id', ...NAMES, 'state', 'roles', ...names];
  return [...new Set(ranked)].filter((name) => names.has(name)).slice(0, MAX_COLUMNS);
}

function isTold(value: Json): boolean {
  return value !== '' && value !== null && !(Array.isArray(value) && (value.length === 0 || value.some(isRow)));
}

/** An id can be taken over into the forms. */
function cell(
  { createElement: h, Fragment }: System['React'],
  name: string,
  value: Json | undefined,
  known: KnownIds,
): View {
  const said = sayValue(name, value, known);
  const isId = name === 'id' || REFERENCE.test(name);
  if (!isId || typeof value !== 'string' || !known.isKnown(value)) return said;
  return h(
    Fragment,
    null,
    said,
    ' ',
    h(
      'button',
      {
        type: 'button',
        className: 'docs-use',
        'aria-label': `Use the ID ${said}`,
        title: 'The forms name it from now on',
        onClick: () => known.use(value),
      },
      'Use',
    ),
  );
}

function sayValue(name: string, value: Json | undefined, known: KnownIds): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((one) => sayValue(name, one, known)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return typeof value === 'object' ? '' : String(value);
  if (TIME.test(value)) return new Date(value).toLocaleString();
  if (CHOSEN.test(name) && /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(value)) return value.split('_').at(-1)!.toLowerCase();
  const called = REFERENCE.test(name) ? known.nameOf(value) : undefined;
  return called === undefined ? value : `${called} (${value})`;
}

function isRow(value: Json | undefined): value is { [name: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
