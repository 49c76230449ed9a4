/** The place of a new object's id in the response of the operation that makes it: `x-example-ids` of the document. */
export interface MadeId {
  readonly method: string;
  readonly path: string;
  readonly field: readonly string[];
  /** The id in the examples. */
  readonly example: string;
}

/** Matches the ids of admin/wire/example-ids.ts; no object has one. */
const EXAMPLE_ID = /^3129090752124682\d\d$/;

/**
 * Replaces the ids in examples. When an object is added here with an example, its real id is in the response; from then
 * on, the forms show that id, and requests refer to that object, so that the examples work one after the other.
 */
export class ExampleIds {
  private readonly made: ReadonlyArray<MadeId & { readonly pattern: RegExp }>;
  readonly known: Map<string, string>;

  /** @param known the pairs that were learned before */
  constructor(made: readonly MadeId[], known: Iterable<readonly [string, string]> = []) {
    this.made = made.map((one) => ({ ...one, pattern: new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
    this.known = new Map(known);
  }

  /** Learns ids from the response to a request. @returns whether there were any */
  learn(method: string, path: string, answer: unknown): boolean {
    const found = this.made.filter((one) => one.method === method.toLowerCase() && one.pattern.test(path));
    for (const { field, example } of found) {
      const id = field.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer);
      if (typeof id === 'string' && id !== '') this.known.set(example, id);
    }
    return found.length > 0;
  }

  /** Whether an id stands only for some object: of the examples, or one that took its place. */
  isExample(id: string): boolean {
    return EXAMPLE_ID.test(id) || [...this.known.values()].includes(id);
  }

  /** The text with the real ids. */
  fill(text: string): string {
    return [...this.known].reduce((filled, [example, id]) => filled.replaceAll(example, id), text);
  }
}
