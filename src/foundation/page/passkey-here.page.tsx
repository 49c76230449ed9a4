import type { VNode } from 'preact';
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

/** The form field `decision`. */
export type PasskeyHereChoice = 'add' | 'skip' | 'never';

export interface PasskeyHereProps {
  readonly form: FormTarget;
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
  readonly errors?: FormErrors<never>;
}

/** Whether the user would like a passkey on this device, having used that of another one. */
export function PasskeyHerePage({ context, texts, ...props }: InPage<PasskeyHereProps>): VNode {
  const words = texts.passkeyHere;
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
        <SubmitButton name="decision" value={'add' satisfies PasskeyHereChoice}>
          {words.submit}
        </SubmitButton>
        <QuietButton name="decision" value={'skip' satisfies PasskeyHereChoice}>
          {texts.factorOffer.skip}
        </QuietButton>
        <QuietButton name="decision" value={'never' satisfies PasskeyHereChoice}>
          {words.never}
        </QuietButton>
      </Form>
    </Layout>
  );
}
