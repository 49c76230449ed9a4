import type { VNode } from 'preact';
import type { InPage } from './context.js';
import type { FactorChoice } from './factor-offer.page.js';
import { TypedName } from './part/account.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { OwnPath } from './paths.js';

export interface PasskeyOfferProps {
  readonly form: FormTarget;
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
  readonly errors?: FormErrors<never>;
}

/** Whether the user would like a passkey, which nobody needs. */
export function PasskeyOfferPage({ context, texts, ...props }: InPage<PasskeyOfferProps>): VNode {
  const words = texts.passkeyOffer;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{words.what}</Heading>
      <TypedName
        context={context}
        loginName={props.loginName}
        otherHref={props.otherAccountHref}
        otherText={texts.secondFactor.notYou}
      />
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <SubmitButton name="factor" value={'passkey' satisfies FactorChoice}>
          {words.submit}
        </SubmitButton>
        <QuietButton name="factor" value={'skip' satisfies FactorChoice}>
          {texts.factorOffer.skip}
        </QuietButton>
      </Form>
    </Layout>
  );
}
