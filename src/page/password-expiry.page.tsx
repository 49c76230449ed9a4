import type { VNode } from 'preact';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

/** The form field `decision`. */
export type ExpiryDecision = 'later' | 'change';

export interface PasswordExpiryProps {
  readonly form: FormTarget;
  readonly expiresAt: Date;
  readonly errors?: FormErrors<never>;
}

/** A note on the way: going on is the first button, changing the password the second. */
export function PasswordExpiryPage({ context, texts, ...props }: InPage<PasswordExpiryProps>): VNode {
  const words = texts.passwordExpiry;
  const date = new Intl.DateTimeFormat(context.language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    props.expiresAt,
  );
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        <Filled text={words.what} values={{ date }} />
      </Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <SubmitButton name="decision" value={'later' satisfies ExpiryDecision}>
          {words.later}
        </SubmitButton>
        <QuietButton name="decision" value={'change' satisfies ExpiryDecision}>
          {words.change}
        </QuietButton>
      </Form>
    </Layout>
  );
}
