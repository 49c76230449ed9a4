import type { TextMatch } from '../../../foundation/database/condition.js';
import type { Page } from '../../../foundation/database/listing.js';

/** A part of a list that is known without the database, in the order in which it is given, or the other way round. */
export function pageOfKnown<Row>(
  rows: readonly Row[],
  { offset, limit, ascending }: { readonly offset: bigint; readonly limit: number; readonly ascending: boolean },
  readAt: Date,
): Page<Row> {
  const sorted = ascending ? rows : rows.toReversed();
  const from = Number(offset);
  return { rows: sorted.slice(from, from + limit), total: BigInt(rows.length), position: 0n, readAt };
}

/** Whether a text of such a list compares like that. */
export function textFits(how: TextMatch, text: string, searched: string): boolean {
  const [whole, part] = how.endsWith('_ignore_case') ? [text.toLowerCase(), searched.toLowerCase()] : [text, searched];
  if (how.startsWith('equals')) return whole === part;
  if (how.startsWith('starts_with')) return whole.startsWith(part);
  return how.startsWith('ends_with') ? whole.endsWith(part) : whole.includes(part);
}
