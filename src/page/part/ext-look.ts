import type { ServicePath } from '../../org/instance/paths.js';
import type { StepText } from '../../session/auth-request/step-page.js';
import type { SlotPlace } from './page-slot.js';

/** The text of one extension at one place. */
export interface FilledSlot {
  /** The language, if it is not that of the page. */
  readonly language: string | undefined;
  readonly content: readonly StepText[];
}

/** The parts that extensions add to a page. */
export interface ExtLook {
  readonly stylesheets: readonly ServicePath[];
  readonly slots: Readonly<Partial<Record<SlotPlace, readonly FilledSlot[]>>>;
}
