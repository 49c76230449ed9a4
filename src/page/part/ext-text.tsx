import type { VNode } from 'preact';
import type { StepText } from '../../session/auth-request/step-page.js';

/** A text of an extension: every value is text, whatever is in it. */
export function ExtText({ part }: { readonly part: StepText }): VNode {
  switch (part.kind) {
    case 'text':
      return <p>{part.text}</p>;
    case 'list':
      return (
        <ul>
          {part.items.map((item) => (
            <li>{item}</li>
          ))}
        </ul>
      );
    case 'link':
      // Opens in a new window, so that what was typed is kept.
      return (
        <p>
          <a href={part.href} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        </p>
      );
  }
}
