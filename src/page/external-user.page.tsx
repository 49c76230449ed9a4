import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { Way } from './part/way.js';

/** The form field `decision`. */
export type ExternalUserDecision = 'create' | 'link' | 'cancel';

export interface ExternalUserProps {
  readonly form: FormTarget;
  readonly providerName: string;
  /** The name of the account there; empty if the provider does not say. */
  readonly accountName: string;
  /** Asked for where a new account lacks nothing else, with what was typed before; undefined where none is made. */
  readonly email?: string | undefined;
  /** Whether the user can sign in here by other means, to link the accounts. */
  readonly mayLink: boolean;
  /** The address that leads to the provider again, for another of its accounts. */
  readonly otherAccountHref: ServicePath;
  readonly errors?: FormErrors<'email'>;
}

/** The account at the provider is not linked to a user here; shows what can be done about it. */
export function ExternalUserPage({ context, texts, ...props }: InPage<ExternalUserProps>): VNode {
  const words = texts.externalUser;
  const asksEmail = props.email !== undefined;
  const values = { provider: props.providerName, account: props.accountName };
  const what = asksEmail ? words.emailNeeded : props.mayLink ? words.linkNeeded : words.unknown;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        <Filled text={what} values={values} />
      </Heading>
      {props.accountName !== '' && (
        <div class="panel">
          <p>
            <Filled text={words.account} values={values} />
          </p>
        </div>
      )}
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        {asksEmail && (
          <Field
            kind="email"
            name="email"
            label={texts.register.email}
            value={props.email}
            autocomplete="email"
            error={errorOf(props.errors, 'email', texts)}
            showError={false}
            optional={props.mayLink}
            focus
          />
        )}
        {asksEmail && (
          <SubmitButton name="decision" value="create">
            {texts.register.submit}
          </SubmitButton>
        )}
        {props.mayLink && !asksEmail && (
          <SubmitButton name="decision" value="link">
            {words.link}
          </SubmitButton>
        )}
        {props.mayLink && asksEmail && (
          <QuietButton name="decision" value="link">
            {words.link}
          </QuietButton>
        )}
        {props.mayLink || asksEmail ? (
          <QuietButton name="decision" value="cancel">
            {words.cancel}
          </QuietButton>
        ) : (
          <SubmitButton name="decision" value="cancel">
            {words.cancel}
          </SubmitButton>
        )}
      </Form>
      <div class="ways">
        <p>
          <Way context={context} to={props.otherAccountHref}>
            <span>
              <Filled text={words.otherAccount} values={values} />
            </span>
          </Way>
        </p>
      </div>
    </Layout>
  );
}
