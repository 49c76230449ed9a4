import type { ComponentChildren } from 'preact';
import { type Filled, Seam } from '../foundation/extension/seam.js';
import type { PageParts } from './part/ext-look.js';
import { pageNames } from './part/page-names.js';
import { namesMistakes } from './part/page-slot.js';

/**
 * Arranges the body of pages anew: a picture beside the form, a head with a menu. The form itself and the foot are
 * pieces that it puts where it wants. If it throws, or leaves a piece out, the page has the look of Gatehouse. A page
 * has one view at most.
 * @beta
 */
export interface PageView {
  /** Only these; by default every page. */
  readonly pages?: readonly string[];
  /** The content of `body`, made by Preact's `h`: elements, and the pieces. At once, without waiting for anything. */
  view(parts: PageParts): ComponentChildren;
}

/** @beta */
export const PAGE_VIEW: Seam<PageView> = new Seam<PageView>('PAGE_VIEW', 'many', {
  mistakes: (filled) => [...filled.flatMap((one) => namesMistakes(one)), ...claimedTwice(filled)],
});

function claimedTwice(filled: ReadonlyArray<Filled<PageView>>): string[] {
  return pageNames
    .flatMap((page) => {
      const names = filled.filter(({ part: { pages } }) => pages?.includes(page) ?? true).map(({ name }) => name);
      return names.length > 1
        ? [`${names.join(' and ')} both arrange the page ${page}. Let one of them name other pages.`]
        : [];
    })
    .slice(0, 1);
}
