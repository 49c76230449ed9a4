import type { CallOptions, Gatehouse } from './call.js';
import type { Arguments, ListOperation } from './operation.js';

/** Entries that are read at once, unless the input says otherwise: enough to be quick, few enough for any memory. */
const PAGE = 200;
/** The service returns no more at once. */
const MAX_PAGE = 1_000;

/** An entry of the list that an operation answers. @public */
export type Item<O, Items extends string> = O extends { readonly [name in Items]?: infer L }
  ? NonNullable<L> extends ReadonlyArray<infer One>
    ? One
    : never
  : never;

/**
 * All entries of a list, one by one, read page by page: `for await (const user of each(gatehouse, listUsers))`. Filters
 * and order are those of the input; its `limit` is the size of a page, its `offset` where to begin. What is added or
 * removed meanwhile may be missed or come twice, unless the operation follows positions, as `listEvents` does.
 * @throws as the operation does
 * @public
 */
export async function* each<I, O, R extends string, Items extends string>(
  gatehouse: Gatehouse,
  operation: ListOperation<I, O, R, Items>,
  ...[given, options]: Arguments<I>
): AsyncGenerator<Item<O, Items>, void, undefined> {
  const { page, cursor, items } = operation.traits;
  const ask = operation as unknown as (
    gatehouse: Gatehouse,
    input: object,
    options?: CallOptions,
  ) => Promise<Record<string, unknown>>;
  const input = given as Record<string, unknown> | undefined;
  const range = (page === undefined ? input : input?.[page]) as Range | undefined;
  const limit = Math.min(range?.limit || PAGE, MAX_PAGE);
  let next: Range = { ...range, limit };
  let offset = BigInt(range?.offset ?? 0);
  for (;;) {
    const answer = await ask(
      gatehouse,
      page === undefined ? { ...input, ...next } : { ...input, [page]: next },
      options,
    );
    const entries = (answer[items] ?? []) as ReadonlyArray<Item<O, Items>>;
    offset += BigInt(entries.length);
    // A list that the service knows by heart comes as a whole, and again as a whole.
    if (totalOf(answer) < offset) return;
    yield* entries;
    if (entries.length !== limit) return;
    next =
      cursor === undefined
        ? { ...next, offset: String(offset) }
        : { ...next, [cursor]: (entries.at(-1) as Record<string, string>)[cursor] };
  }
}

interface Range {
  readonly offset?: string | undefined;
  readonly limit?: number | undefined;
}

/** More than there can be, if the answer does not say it. */
function totalOf(answer: Record<string, unknown>): bigint | number {
  const { totalResult } = (answer['details'] ?? answer['pagination'] ?? {}) as { readonly totalResult?: string };
  return totalResult === undefined ? Infinity : BigInt(totalResult);
}
