import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import { ErrorNotice, errorOf, type FormErrors, fieldInFocus } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { type ProviderLink, ProviderMark } from './part/provider-links.js';
import { Way } from './part/way.js';

/** The form field with the id of the directory, named as in the address of its button. */
export const DIRECTORY_ID = 'idpConfigID';

export type DirectoryField = 'loginName' | 'password';

export interface DirectoryProps {
  readonly form: FormTarget;
  /** Its `href` leads to this page. */
  readonly provider: ProviderLink;
  /** The name that was typed before, or `login_hint` (OIDC Core §3.1.2.1). */
  readonly loginName?: string | undefined;
  /** The user is signed in, and is asked once more before a change. */
  readonly isConfirming?: boolean | undefined;
  /** Absent where only this provider will do. */
  readonly otherWaysHref?: ServicePath | undefined;
  readonly errors?: FormErrors<DirectoryField>;
}

/** Name and password of a directory, on a page of ours. */
export function DirectoryPage({ context, texts, ...props }: InPage<DirectoryProps>): VNode {
  const { loginName: words, password } = texts;
  const focused =
    props.errors?.length || props.loginName === undefined
      ? fieldInFocus<DirectoryField>(['loginName', 'password'], props.errors)
      : 'password';
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.isConfirming === true ? (
          password.why
        ) : (
          <>
            <ProviderMark {...props.provider} />{' '}
            <Filled text={texts.provider.continueWith} values={{ provider: props.provider.name }} />
          </>
        )}
      </Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field
          kind="loginName"
          name="loginName"
          label={words.label}
          value={props.loginName}
          autocomplete="username"
          error={errorOf(props.errors, 'loginName', texts)}
          showError={false}
          focus={focused === 'loginName'}
        />
        <Field
          kind="password"
          name="password"
          label={password.label}
          reveal={password.show}
          autocomplete="current-password"
          error={errorOf(props.errors, 'password', texts)}
          showError={false}
          focus={focused === 'password'}
        />
        <SubmitButton>{password.submit}</SubmitButton>
      </Form>
      {props.otherWaysHref !== undefined && (
        <div class="ways">
          <p>
            <Way context={context} to={props.otherWaysHref}>
              {texts.externalUser.cancel}
            </Way>
          </p>
        </div>
      )}
    </Layout>
  );
}
