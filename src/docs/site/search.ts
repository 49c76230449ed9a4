import MiniSearch, { type Options, type SearchResult } from 'minisearch';
import { type ApiDocument, type ApiOperation, routesOf, type Schema } from './document.js';
import { termsOf, weightOf, wordsOf } from './words.js';

/** Something to find: an operation, or a task with its steps. */
export interface Hit {
  /** The id of an operation; the title of a task. */
  readonly id: string;
  readonly kind: 'operation' | 'task';
  readonly title: string;
  /** The group of an operation; the steps of a task. */
  readonly about: string;
}

export interface Findable extends Hit {
  /** The name of the operation or task. */
  readonly name: string;
  /** The fields of the request. */
  readonly fields: string;
  readonly text: string;
  readonly path: string;
  readonly weight: number;
}

interface TaskToFind {
  readonly title: string;
  readonly also?: string;
  readonly steps: ReadonlyArray<readonly [operationId: string, what: string]>;
}

const OPTIONS: Options<Findable> = {
  fields: ['name', 'about', 'fields', 'text'],
  storeFields: ['kind', 'title', 'about', 'path', 'weight'],
  tokenize: wordsOf,
  processTerm: termsOf,
};
/** A weight for tasks, which are more than one operation. */
const TASK = 1.25;
/** Lower weights for operations that people seldom look for. */
const RARE: ReadonlyArray<readonly [pattern: RegExp, weight: number]> = [
  [/My[A-Z]/, 0.6],
  // A text for each kind of message, thrice.
  [/Message(Custom)?Text/, 0.7],
  [/Of(Org|Instance)$|^(Get|List)Default|ToDefault|^Is|^Bulk/, 0.85],
];
const MAX_DEPTH = 1;
/** A share of the points of the best result: results with fewer are not shown. */
const LEAST = 0.08;

/** Finds operations and tasks by the words of those who look for them. */
export class Search {
  private constructor(private readonly engine: MiniSearch<Findable>) {}

  /** Makes the index, which `fromJson` reads. @param also for an operation, in which other words people look for it */
  static of(document: ApiDocument, tasks: readonly TaskToFind[], also: Readonly<Record<string, string>>): Search {
    const engine = new MiniSearch(OPTIONS);
    engine.addAll([...tasks.map(ofTask), ...operationsOf(document, also)]);
    return new Search(engine);
  }

  static fromJson(text: string): Search {
    return new Search(MiniSearch.loadJSON(text, OPTIONS));
  }

  toJson(): string {
    return JSON.stringify(this.engine);
  }

  /**
   * The best first: what is about more of the words, and has them in its name. Not every word must occur, since people
   * ask in whole sentences.
   */
  find(phrase: string): Hit[] {
    if (phrase.trim().startsWith('/')) return this.findPath(phrase.trim().toLowerCase());
    const words = wordsOf(phrase).map(termsOf);
    if (words.length === 0) return [];
    const results = this.engine.search(phrase, {
      boost: { name: 4, about: 1.2, fields: 1.4, text: 1 },
      fuzzy: (term) => (isStem(term) && term.length > 4 ? 0.2 : false),
      prefix: (term) => isStem(term) && term.length > 2,
      boostTerm: weightOf,
      weights: { fuzzy: 0.3, prefix: 0.5 },
      boostDocument: (_, __, stored) => stored!['weight'] as number,
    });
    const rated = results.map((result) => {
      const matched = words.filter((terms) => terms.some((term) => result.queryTerms.includes(term))).length;
      return { hit: toHit(result), points: result.score * (matched / words.length) ** 2 };
    });
    const most = Math.max(0, ...rated.map(({ points }) => points));
    return rated
      .filter(({ points }) => points >= most * LEAST)
      .toSorted((one, other) => other.points - one.points)
      .map(({ hit }) => hit);
  }

  private findPath(part: string): Hit[] {
    return this.engine
      .search(MiniSearch.wildcard)
      .filter(({ path }) => (path as string).toLowerCase().includes(part))
      .map(toHit);
  }
}

/** A hit with the members that the index keeps. */
function toHit(result: SearchResult): Hit {
  const { id, kind, title, about } = result as unknown as Hit;
  return { id, kind, title, about };
}

function isStem(term: string): boolean {
  return !term.startsWith('~') && !term.includes('_');
}

function ofTask({ title, also = '', steps }: TaskToFind): Findable {
  return {
    id: title,
    kind: 'task',
    title,
    about: steps.map(([id]) => id).join(', '),
    name: `${title} ${also}`,
    fields: '',
    text: steps.map(([, what]) => what).join(' '),
    path: '',
    weight: TASK,
  };
}

function operationsOf(document: ApiDocument, also: Readonly<Record<string, string>>): Findable[] {
  return routesOf(document)
    .filter(({ operation }) => !operation['x-former-name'])
    .map(({ path, operation }) => {
      const { operationId: id, summary = '', description = '', tags, deprecated } = operation;
      const rarity = RARE.filter(([pattern]) => pattern.test(id)).map(([, weight]) => weight);
      return {
        id,
        kind: 'operation',
        title: summary,
        about: tags[0] ?? '',
        name: `${id} ${summary} ${also[id] ?? ''}`,
        fields: fieldsOf(document, operation).join(' '),
        text: description.replaceAll(/\]\([^)]*\)/g, ' '),
        path,
        weight: Math.min(1, ...rarity) * (deprecated ? 0.5 : 1),
      };
    });
}

/** The names of what is sent, those within others included. */
function fieldsOf({ components }: ApiDocument, { requestBody }: ApiOperation): string[] {
  const names = new Set<string>();
  const visit = (schema: Schema | undefined, depth: number): void => {
    if (!schema || depth > MAX_DEPTH) return;
    if (schema.$ref !== undefined) {
      visit(components.schemas[schema.$ref.split('/').at(-1)!], depth);
      return;
    }
    for (const part of schema.allOf ?? []) visit(part, depth);
    visit(schema.items, depth);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      names.add(name);
      visit(property, depth + 1);
    }
  };
  visit(requestBody?.content['application/json']?.schema, 0);
  return [...names];
}
