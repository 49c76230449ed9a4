import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { Way } from './part/way.js';

export interface PasswordResetProps {
  readonly form: FormTarget;
  /** What the mail brings. */
  readonly wayBack: 'password' | 'passkey';
  /** The name as it was typed. */
  readonly loginName?: string | undefined;
  readonly signInHref?: ServicePath | undefined;
  readonly errors?: FormErrors<'loginName'>;
}

export function PasswordResetPage({ context, texts, ...props }: InPage<PasswordResetProps>): VNode {
  const words = texts.passwordReset;
  const title = props.wayBack === 'password' ? words.title : words.newPasskey;
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={title}>{words.what}</Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field
          kind="loginName"
          name="loginName"
          label={words.label}
          hint={texts.loginName.hint}
          value={props.loginName}
          autocomplete="username"
          error={errorOf(props.errors, 'loginName', texts)}
          showError={false}
          focus
        />
        <SubmitButton>{words.submit}</SubmitButton>
      </Form>
      {props.signInHref !== undefined && (
        <div class="ways">
          <p>
            <Way context={context} to={props.signInHref}>
              {words.back}
            </Way>
          </p>
        </div>
      )}
    </Layout>
  );
}
