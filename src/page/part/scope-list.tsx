import type { VNode } from 'preact';
import type { ExtWord } from './ext-texts.js';

/** The meanings of scopes, one by one. Whatever an extension says is text, with a direction of its own. */
export function ScopeList({ words, look }: { readonly words: readonly ExtWord[]; readonly look: string }): VNode {
  return (
    <ul class={look}>
      {words.map(({ text, language }) => (
        <li>
          <bdi lang={language}>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}
