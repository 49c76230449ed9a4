import { readQuery } from '../../foundation/http/request.js';
import { QUERY } from '../../page/overview/search.js';
import type { OverviewVisit } from './overview-visit.js';

/** Longer than a name or an address. */
const MAX_CHARACTERS = 200;

/** What the reader looks for; empty if the address says nothing of it. */
export function searchedText({ visit }: OverviewVisit): string {
  return (readQuery(visit.http).find(QUERY) ?? '').trim().slice(0, MAX_CHARACTERS);
}
