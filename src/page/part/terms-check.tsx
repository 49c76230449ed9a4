import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import { errorId } from './form-error.js';
import type { PageLinks } from './look.js';

interface TermsCheckProps {
  readonly links: PageLinks;
  readonly texts: PageTexts;
  readonly error?: string | undefined;
}

/** The terms to which a user agrees by registering; nothing if the organization has none. */
export function TermsCheck({ links, texts, error }: TermsCheckProps): VNode | null {
  if (links.tos === undefined && links.privacy === undefined) return null;
  const words = texts.register;
  return (
    <div class="check">
      <input
        type="checkbox"
        id="terms"
        name="terms"
        value="accepted"
        required
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={error === undefined ? undefined : errorId('terms')}
      />
      <label for="terms">{words.terms}</label>
      {error !== undefined && (
        <p class="field-error" id={errorId('terms')}>
          {error}
        </p>
      )}
      <ul class="terms">
        {links.tos !== undefined && <TermsLink href={links.tos} text={words.tos} />}
        {links.privacy !== undefined && <TermsLink href={links.privacy} text={words.privacy} />}
      </ul>
    </div>
  );
}

/** Opens in a new window, so that what was typed is kept. */
function TermsLink({ href, text }: { readonly href: string; readonly text: string }): VNode {
  return (
    <li>
      <a href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    </li>
  );
}
