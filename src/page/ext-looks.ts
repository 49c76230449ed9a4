import { Inject, Injectable } from '@nestjs/common';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { asExtension } from '../foundation/log/running-extension.js';
import { isExtText, type StepText } from '../session/auth-request/step-page.js';
import { ExtAssets } from './ext-assets.js';
import type { PageContext } from './part/context.js';
import type { ExtLook, FilledSlot } from './part/ext-look.js';
import { type ExtScopeWords, ExtTexts, extScopeWords } from './part/ext-texts.js';
import type { PageName } from './part/page-names.js';
import { PAGE_SLOT, type PageSlot, type SlotPlace } from './part/page-slot.js';
import { type LoginPage, renderPage } from './render.js';

const MAX_PARTS = 20;
/** This page carries an answer to an application and is gone at once. */
const BARE: ReadonlySet<PageName> = new Set(['formPost']);

/** How pages look with the extensions of this process. */
@Injectable()
export class ExtLooks {
  private readonly isPlain: boolean;

  constructor(
    @Inject(PAGE_SLOT.token) private readonly slots: ReadonlyArray<Filled<PageSlot>>,
    private readonly assets: ExtAssets,
    private readonly loaded: LoadedExtensions,
    private readonly calls: PartCalls,
  ) {
    this.isPlain = slots.length === 0 && assets.stylesheets.length === 0;
  }

  /** The page as HTML; without what an extension says there if that fails. */
  render(page: LoginPage, context: PageContext): string {
    if (this.isPlain || BARE.has(page.page)) return renderPage(page, context);
    return renderPage(page, { ...context, own: this.of(page.page, context) });
  }

  /** The meanings of the scopes of extensions, in this language. */
  scopesIn(language: string): ExtScopeWords {
    return extScopeWords(this.loaded.extensions, language);
  }

  private of(page: PageName, context: PageContext): ExtLook {
    const slots: Partial<Record<SlotPlace, FilledSlot[]>> = {};
    for (const filled of this.slots) {
      const { part } = filled;
      if (!(part.pages?.includes(page) ?? true)) continue;
      const slot = this.slotOf(filled, page, context);
      if (slot.content.length > 0) (slots[part.place] ??= []).push(slot);
    }
    return { stylesheets: this.assets.stylesheets, slots };
  }

  private slotOf(filled: Filled<PageSlot>, page: PageName, { language, brand }: PageContext): FilledSlot {
    const extension = this.loaded.extensions.find(({ id }) => id === filled.extension)!;
    const texts = new ExtTexts(extension, language);
    // Synchronous: nothing can end it. The number is said in the log alone.
    const call = { seam: PAGE_SLOT, of: filled, limitMs: 0 };
    const end = this.calls.begin(call);
    try {
      const question = { page, language, brandName: brand, text: (key: string) => texts.text(key) };
      const content = readContent(asExtension(filled.extension, () => filled.part.content(question)));
      return { content, language: texts.language === language ? undefined : texts.language };
    } catch (error) {
      this.calls.fail(call, error);
      return { content: [], language: undefined };
    } finally {
      end();
    }
  }
}

/** @throws Error for what pages cannot show */
function readContent(given: unknown): readonly StepText[] {
  if (!Array.isArray(given) || given.length > MAX_PARTS)
    throw new Error(`Its content is no list, or has more than ${MAX_PARTS} parts.`);
  const copy = JSON.parse(JSON.stringify(given)) as unknown[];
  return copy.map((part, index) => {
    if (typeof part !== 'object' || part === null || !isExtText(part))
      throw new Error(`Part ${index + 1} of its content is none that a page can show.`);
    return part;
  });
}
