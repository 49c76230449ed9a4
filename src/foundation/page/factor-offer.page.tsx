import type { VNode } from 'preact';
import type { PageTexts } from './catalogue/catalogue.js';
import type { InPage } from './context.js';
import { TypedName } from './part/account.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { OwnPath } from './paths.js';

/** The form field `factor`. */
export type FactorChoice = 'passkey' | 'u2f' | 'otp' | 'otp_email' | 'skip';

export interface FactorOfferProps {
  readonly form: FormTarget;
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
  /** What can be set up, the preferred one first. */
  readonly choices: ReadonlyArray<Exclude<FactorChoice, 'skip'>>;
  /** A second factor is mandatory. */
  readonly isRequired: boolean;
  readonly errors?: FormErrors<never>;
}

function wordsOf(choice: Exclude<FactorChoice, 'skip'>, texts: PageTexts): string {
  return choice === 'passkey' ? texts.passkeyOffer.submit : texts.factorOffer[choice];
}

export function FactorOfferPage({ context, texts, ...props }: InPage<FactorOfferProps>): VNode {
  const words = texts.factorOffer;
  const [first, ...others] = props.choices;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{props.isRequired ? words.required : words.what}</Heading>
      <TypedName
        context={context}
        loginName={props.loginName}
        otherHref={props.otherAccountHref}
        otherText={texts.secondFactor.notYou}
      />
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
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
        {!props.isRequired && (
          <QuietButton name="factor" value={'skip' satisfies FactorChoice}>
            {words.skip}
          </QuietButton>
        )}
      </Form>
    </Layout>
  );
}
