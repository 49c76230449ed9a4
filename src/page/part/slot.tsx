import type { VNode } from 'preact';
import { directionOf } from '../../foundation/language/language-tag.js';
import type { PageContext } from './context.js';
import { ExtText } from './ext-text.js';
import type { SlotPlace } from './page-slot.js';

interface SlotProps {
  readonly context: PageContext;
  readonly place: SlotPlace;
}

/** Room for what extensions say, below one another; nothing without them. */
export function Slot({ context, place }: SlotProps): VNode | null {
  const filled = context.own?.slots[place];
  if (filled === undefined) return null;
  return (
    <>
      {filled.map(({ language, content }) => (
        <div
          class={`slot slot-${place}`}
          lang={language}
          dir={language === undefined ? undefined : directionOf(language)}
        >
          {content.map((part) => (
            <ExtText part={part} />
          ))}
        </div>
      ))}
    </>
  );
}
