import type { VNode } from 'preact';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Offer, type OfferProps } from './part/offer.js';

/** The form field `decision`. */
export type PasskeyHereChoice = 'add' | 'skip' | 'never';

/** Whether the user would like a passkey on this device, having used that of another one. */
export function PasskeyHerePage(props: InPage<OfferProps>): VNode {
  const { texts } = props;
  const words = texts.passkeyHere;
  return (
    <Offer {...props} words={words}>
      <SubmitButton name="decision" value={'add' satisfies PasskeyHereChoice}>
        {words.submit}
      </SubmitButton>
      <QuietButton name="decision" value={'skip' satisfies PasskeyHereChoice}>
        {texts.factorOffer.skip}
      </QuietButton>
      <QuietButton name="decision" value={'never' satisfies PasskeyHereChoice}>
        {words.never}
      </QuietButton>
    </Offer>
  );
}
