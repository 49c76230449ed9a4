import type { VNode } from 'preact';
import type { Person } from './part/account.js';
import { Account } from './part/account.js';
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
export type LinkDecision = 'link' | 'skip';

export interface LinkAccountProps {
  readonly form: FormTarget;
  readonly providerName: string;
  /** The name of the account there; empty if the provider does not say. */
  readonly accountName: string;
  /** The account that is signed in here. */
  readonly person: Person;
  readonly errors?: FormErrors<never>;
}

/** Asks whether an account at a provider should open this account from now on. */
export function LinkAccountPage({ context, texts, ...props }: InPage<LinkAccountProps>): VNode {
  const words = texts.linkAccount;
  const values = { provider: props.providerName, account: props.accountName };
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        <Filled text={words.what} values={values} />
      </Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <div class="panel">
        <Account person={props.person} />
        {props.accountName !== '' && (
          <p>
            <Filled text={texts.externalUser.account} values={values} />
          </p>
        )}
      </div>
      <Form target={props.form}>
        <SubmitButton name="decision" value="link">
          {words.submit}
        </SubmitButton>
        <QuietButton name="decision" value="skip">
          {words.skip}
        </QuietButton>
      </Form>
    </Layout>
  );
}
