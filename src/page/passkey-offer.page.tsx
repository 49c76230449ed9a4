import type { VNode } from 'preact';
import type { FactorChoice } from './factor-offer.page.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Offer, type OfferProps } from './part/offer.js';

/** Whether the user would like a passkey, which nobody needs. */
export function PasskeyOfferPage(props: InPage<OfferProps>): VNode {
  const { texts } = props;
  const words = texts.passkeyOffer;
  return (
    <Offer {...props} words={words}>
      <SubmitButton name="factor" value={'passkey' satisfies FactorChoice}>
        {words.submit}
      </SubmitButton>
      <QuietButton name="factor" value={'skip' satisfies FactorChoice}>
        {texts.factorOffer.skip}
      </QuietButton>
    </Offer>
  );
}
