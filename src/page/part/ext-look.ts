import type { ComponentChildren } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { StepText } from '../../session/auth-request/step-page.js';
import type { SlotPlace } from './page-slot.js';

/** The text of one extension at one place. */
export interface FilledSlot {
  /** The language, if it is not that of the page. */
  readonly language: string | undefined;
  readonly content: readonly StepText[];
}

/**
 * The pieces of a page, rendered by Gatehouse, for a view that arranges them. Members may be added in a minor version.
 * @beta
 */
export interface PageParts {
  /** The name of the page; `docs/extending/pages.md` lists them. */
  readonly page: string;
  /** A language tag, and how it is written. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** The instance or organization that signs people in. */
  readonly brandName: string;
  /** The logo of the organization, or the mark of Gatehouse with its name. */
  readonly brand: ComponentChildren;
  /** The heading, the forms and everything else that the page is about. Put it into the page once, as it is. */
  readonly main: ComponentChildren;
  /** Links of the organization and the choice of languages. The same. */
  readonly foot: ComponentChildren;
}

/** The parts that extensions add to a page. */
export interface ExtLook {
  readonly stylesheets: readonly ServicePath[];
  readonly slots: Readonly<Partial<Record<SlotPlace, readonly FilledSlot[]>>>;
  /** Arranges the page. */
  readonly view?: ((parts: PageParts) => ComponentChildren) | undefined;
}
