import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import { QuietButton } from './button.js';

/** The form has this field if the user wants a passkey instead of a password. */
export const PASSKEY_INSTEAD = 'passkey';

/** A second button in a form in which new users choose a password, for those who would rather have a passkey. */
export function PasskeyInstead({ texts }: { readonly texts: PageTexts }): VNode {
  return (
    <>
      <p>{texts.passkeyOffer.what}</p>
      <QuietButton name={PASSKEY_INSTEAD} skipsFields>
        {texts.passkeyOffer.submit}
      </QuietButton>
    </>
  );
}
