import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';

interface KeysElsewhereProps {
  readonly texts: PageTexts;
  /** Whether the user still signs in: nothing can be created before, and somebody else must help. */
  readonly isSigningIn?: boolean;
}

/** Explains why keys no longer work after the service has got another domain (PKY-026). */
export function KeysElsewhere({ texts, isSigningIn = false }: KeysElsewhereProps): VNode {
  return (
    <div class="notice notice-info">
      <p>{texts.accountKeys.moved}</p>
      {isSigningIn && <p>{texts.passkey.newLink}</p>}
    </div>
  );
}
