import type { ComponentChildren, VNode } from 'preact';
import { phrasesOf } from '../../foundation/language/japanese-phrases.js';

/** The one h1 of a page, and the sentence below it. */
export function Heading({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="heading">
      <h1>{typeof title === 'string' ? unbroken(title) : title}</h1>
      {Boolean(children) && <p>{children}</p>}
    </div>
  );
}

const KANA_OR_HAN = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;

/**
 * Keeps words like `e-mail` on one line: none may end with the single letter before the hyphen. Japanese has no spaces:
 * it may break between phrases only, which browsers other than Chromium do not find by themselves.
 */
function unbroken(title: string): ComponentChildren {
  if (KANA_OR_HAN.test(title)) {
    return phrasesOf(title).map((phrase, index) => [index > 0 && <wbr />, phrase]);
  }
  return title
    .split(/(\b\p{L}-\p{L}+)/u)
    .map((part, index) => (index % 2 === 1 ? <span class="whole">{part}</span> : part));
}
