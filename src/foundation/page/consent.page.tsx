import type { VNode } from 'preact';
import { fill } from './catalogue/catalogue.js';
import type { InPage } from './context.js';
import type { Person } from './part/account.js';
import { Account } from './part/account.js';
import { QuietButton, SubmitButton } from './part/button.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { scopeWords } from './part/scope-words.js';

/** The form field `decision`. */
export type ConsentDecision = 'continue' | 'cancel';

export interface ConsentProps {
  readonly form: FormTarget;
  readonly clientName: string;
  /** Requested scopes as they came; the page says what they mean. */
  readonly scopes: readonly string[];
  /** Who is about to continue. */
  readonly person: Person;
  readonly errors?: FormErrors<never>;
}

/** OIDC Core §3.1.2.4: the person sees who asks for what, and may say no. */
export function ConsentPage({ context, texts, ...props }: InPage<ConsentProps>): VNode {
  const words = texts.consent;
  const client = { client: props.clientName };
  const meanings = scopeWords(props.scopes, texts);
  return (
    <Layout context={context} texts={texts} title={fill(words.title, client)} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={<Filled text={words.title} values={client} />} />
      <ErrorNotice errors={props.errors} texts={texts} />
      <div class="panel">
        <Account person={props.person} />
      </div>
      <p>
        <Filled text={meanings.length === 0 ? words.noScopes : words.scopes} values={client} />
      </p>
      {meanings.length > 0 && (
        <ul class="ticks">
          {meanings.map((meaning) => (
            <li>
              <bdi>{meaning}</bdi>
            </li>
          ))}
        </ul>
      )}
      <Form target={props.form}>
        <SubmitButton name="decision" value={'continue' satisfies ConsentDecision}>
          {words.submit}
        </SubmitButton>
        <QuietButton name="decision" value={'cancel' satisfies ConsentDecision}>
          {words.cancel}
        </QuietButton>
      </Form>
    </Layout>
  );
}
