import type { VNode } from 'preact';
import type { PageTexts } from './catalogue/catalogue.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Offer, type OfferProps } from './part/offer.js';

/** The form field `factor`. */
export type FactorChoice = 'passkey' | 'u2f' | 'otp' | 'otp_email' | 'skip';

export interface FactorOfferProps extends OfferProps {
  /** The factors that can be set up, the preferred one first. */
  readonly choices: ReadonlyArray<Exclude<FactorChoice, 'skip'>>;
  /** Whether a second factor is mandatory. */
  readonly isRequired: boolean;
}

function wordsOf(choice: Exclude<FactorChoice, 'skip'>, texts: PageTexts): string {
  return choice === 'passkey' ? texts.passkeyOffer.submit : texts.factorOffer[choice];
}

export function FactorOfferPage({ choices, isRequired, ...props }: InPage<FactorOfferProps>): VNode {
  const { texts } = props;
  const words = texts.factorOffer;
  const [first, ...others] = choices;
  return (
    <Offer {...props} words={{ title: words.title, what: isRequired ? words.required : words.what }}>
      {first !== undefined && (
        <SubmitButton name="factor" value={first}>
          {wordsOf(first, texts)}
        </SubmitButton>
      )}
      {others.map((choice) => (
        <QuietButton name="factor" value={choice}>
          {wordsOf(choice, texts)}
        </QuietButton>
      ))}
      {!isRequired && (
        <QuietButton name="factor" value={'skip' satisfies FactorChoice}>
          {words.skip}
        </QuietButton>
      )}
    </Offer>
  );
}
