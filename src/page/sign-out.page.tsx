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
export type SignOutDecision = 'sign-out' | 'stay';

export interface SignOutProps {
  readonly form: FormTarget;
  /** All accounts that are signed in in this browser. */
  readonly people: readonly Person[];
  readonly clientName?: string | undefined;
  readonly errors?: FormErrors<never>;
}

/** OpenID Connect RP-Initiated Logout §2: without proof that the person's own application asks, the person is asked. */
export function SignOutPage({ context, texts, ...props }: InPage<SignOutProps>): VNode {
  const words = texts.signOut;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.clientName !== undefined && <Filled text={words.asked} values={{ client: props.clientName }} />}
      </Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      {props.people.length > 0 && (
        <>
          <p>{words.everyone}</p>
          <ul class="panel">
            {props.people.map((person) => (
              <li>
                <Account person={person} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Form target={props.form}>
        <SubmitButton name="decision" value={'sign-out' satisfies SignOutDecision}>
          {words.submit}
        </SubmitButton>
        <QuietButton name="decision" value={'stay' satisfies SignOutDecision}>
          {words.stay}
        </QuietButton>
      </Form>
    </Layout>
  );
}
