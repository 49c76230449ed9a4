import type { OfferedIdp } from './offered-idps.js';

/** As many providers as one looks through. */
const MOST_SHOWN = 20;

/** The providers that a page shows: the first ones, or the first of those that were searched for. */
export interface ShownIdps {
  readonly shown: readonly OfferedIdp[];
  /** The search field; absent if all providers fit on the page. */
  readonly search: { readonly typed: string | undefined; readonly isCut: boolean } | undefined;
}

/** Finds providers by any part of the name, in any case; accents count. */
export function searchProviders(offered: readonly OfferedIdp[], typed: string | undefined): ShownIdps {
  if (offered.length <= MOST_SHOWN) return { shown: offered, search: undefined };
  const wanted = toCompare(typed ?? '');
  const found = offered.filter(({ name }) => toCompare(name).includes(wanted));
  return { shown: found.slice(0, MOST_SHOWN), search: { typed, isCut: found.length > MOST_SHOWN } };
}

function toCompare(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
