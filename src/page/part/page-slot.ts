import { type Filled, Seam } from '../../foundation/extension/seam.js';
import type { StepText } from '../../session/auth-request/step-page.js';
import { pageNames } from './page-names.js';

/** Where a page has room for what extensions say: below the brand, below the content, and in the foot. @public */
export type SlotPlace = 'above' | 'below' | 'foot';

/** Which page is shown, and to whom as far as pages say that: there is no user in it, known or unknown. @public */
export interface PageQuestion {
  /** `docs/extending/pages.md` lists them. */
  readonly page: string;
  /** A language tag such as `de`. */
  readonly language: string;
  /** The instance or organization that signs people in. */
  readonly brandName: string;
  /**
   * A text of the extension (`texts` of its manifest) in that language, otherwise in English.
   * @throws Error for a key that the manifest does not have
   */
  text(key: string): string;
}

/**
 * Says something on pages of Gatehouse: where to find help, what is going on. Several are shown below one another. If
 * it throws or answers nonsense, it is left out.
 * @public
 */
export interface PageSlot {
  readonly place: SlotPlace;
  /** Only on these; by default on every page. */
  readonly pages?: readonly string[];
  /** At once, without waiting for anything: every page asks. Twenty parts at most; none leaves it out. */
  content(question: PageQuestion): readonly StepText[];
}

/** @public */
export const PAGE_SLOT: Seam<PageSlot> = new Seam<PageSlot>('PAGE_SLOT', 'many', {
  mistakes: (filled) =>
    filled.flatMap((one) => [
      ...namesMistakes(one),
      ...(PLACES.has(one.part.place)
        ? []
        : [`${one.name} of the extension ${one.extension} needs a place: ${[...PLACES].join(', ')}.`]),
    ]),
});

const PLACES: ReadonlySet<unknown> = new Set<SlotPlace>(['above', 'below', 'foot']);

/** The names of pages that do not exist. */
function namesMistakes({ extension, name, part: { pages } }: Filled<PageSlot>): string[] {
  return (pages ?? [])
    .filter((page) => !(pageNames as readonly string[]).includes(page))
    .map((page) => `${name} of the extension ${extension} names the page ${page}, which does not exist. Remove it.`);
}
