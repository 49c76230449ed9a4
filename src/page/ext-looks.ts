import { Inject, Injectable } from '@nestjs/common';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import type { Filled, Seam } from '../foundation/extension/seam.js';
import { asExtension } from '../foundation/log/running-extension.js';
import { isExtText, type StepText } from '../session/auth-request/step-page.js';
import { ExtAssets } from './ext-assets.js';
import { PAGE_VIEW, type PageView } from './page-view.js';
import type { PageContext } from './part/context.js';
import type { ExtLook, FilledSlot } from './part/ext-look.js';
import { type ExtScopeWords, ExtTexts, extScopeWords } from './part/ext-texts.js';
import type { PageName } from './part/page-names.js';
import { PAGE_SLOT, type PageSlot, type SlotPlace } from './part/page-slot.js';
import { type LoginPage, renderPage } from './render.js';

const MAX_PARTS = 20;
/** Synchronous: nothing can end it. The number is said in the log alone. */
const NO_LIMIT = { limitMs: 0 };
/** This page carries an answer to an application and is gone at once. */
const BARE: ReadonlySet<PageName> = new Set(['formPost']);

/** How pages look with the extensions of this process. */
@Injectable()
export class ExtLooks {
  private readonly isPlain: boolean;

  constructor(
    @Inject(PAGE_SLOT.token) private readonly slots: ReadonlyArray<Filled<PageSlot>>,
    @Inject(PAGE_VIEW.token) private readonly views: ReadonlyArray<Filled<PageView>>,
    private readonly assets: ExtAssets,
    private readonly loaded: LoadedExtensions,
    private readonly calls: PartCalls,
  ) {
    this.isPlain = slots.length === 0 && views.length === 0 && assets.stylesheets.length === 0;
  }

  /** The page as HTML; in our own look if the one of an extension fails. */
  render(page: LoginPage, context: PageContext): string {
    if (this.isPlain || BARE.has(page.page)) return renderPage(page, context);
    const own = this.of(page.page, context);
    const ours = renderPage(page, { ...context, own });
    const view = this.views.find(({ part }) => part.pages?.includes(page.page) ?? true);
    if (!view) return ours;
    const end = this.calls.begin({ seam: PAGE_VIEW, of: view, ...NO_LIMIT });
    try {
      const arranged = renderPage(page, {
        ...context,
        own: { ...own, view: (parts) => asExtension(view.extension, () => view.part.view(parts)) },
      });
      checkArranged(arranged, ours);
      return arranged;
    } catch (error) {
      this.fail(PAGE_VIEW, view, error);
      return ours;
    } finally {
      end();
    }
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
    const end = this.calls.begin({ seam: PAGE_SLOT, of: filled, ...NO_LIMIT });
    try {
      const question = { page, language, brandName: brand, text: (key: string) => texts.text(key) };
      const content = readContent(asExtension(filled.extension, () => filled.part.content(question)));
      return { content, language: texts.language === language ? undefined : texts.language };
    } catch (error) {
      this.fail(PAGE_SLOT, filled, error);
      return { content: [], language: undefined };
    } finally {
      end();
    }
  }

  private fail<Part>(seam: Seam<Part>, of: Filled<Part>, error: unknown): void {
    this.calls.fail({ seam, of, ...NO_LIMIT }, error);
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

/** The pieces of a page, with their names in the log. They are escaped, so that no value can end them early. */
const PIECES = [
  ['main', /<main>.*<\/main>(?:<p class="way-back">.*?<\/p>)?(?:<form id="ways".*?<\/form>)?/su],
  ['foot', /<footer class="foot">.*<\/footer>/su],
] as const;
/** Elements that only our pieces and our head have, or that the policy of the page forbids. */
const STRANGE =
  /<(?:form|input|button|select|textarea|script|style|iframe|object|embed|base|meta|link|html|head|body|main)\b|<[^>]*\s(?:on\w+|style|autofocus)=/iu;

/**
 * Whether our pieces are in the page as they are, once, and beside them no field, form or script.
 * @throws Error that says what is wrong
 */
function checkArranged(arranged: string, ours: string): void {
  let rest = arranged.slice(arranged.indexOf('<body>') + '<body>'.length, arranged.lastIndexOf('</body>'));
  for (const [name, pattern] of PIECES) {
    const piece = pattern.exec(ours)?.[0] ?? '';
    const parts = rest.split(piece);
    if (parts.length !== 2) throw new Error(`The page has its ${name} ${parts.length - 1} times, or changed.`);
    rest = parts.join('');
  }
  const strange = STRANGE.exec(rest)?.[0];
  if (strange !== undefined) throw new Error(`The page has something that is left to Gatehouse: ${strange.trim()}`);
}
