import type { VNode } from 'preact';
import { nameOrder } from '../foundation/language/name-order.js';
import type { ServicePath } from '../org/instance/paths.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorSummary, errorOf, fieldInFocus } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { PasskeyInstead } from './part/passkey-instead.js';
import type { PasswordRules } from './part/password-rules.js';
import { checkedBy, PasswordRuleList, passwordRulesId } from './part/password-rules.js';
import { TermsCheck } from './part/terms-check.js';
import { Way } from './part/way.js';

/** The names on the wire, in the order of the page. */
export const registerFields = ['email', 'firstName', 'lastName', 'userName', 'password', 'passwordRepeat'] as const;
export type RegisterField = (typeof registerFields)[number] | 'terms';

export interface RegisterProps {
  readonly form: FormTarget;
  /** Absent where passwords are not allowed. */
  readonly rules?: PasswordRules | undefined;
  /** Whether a passkey may be created instead of a password. */
  readonly mayUsePasskey?: boolean | undefined;
  /** The values that were typed before. Passwords are typed again: they never travel back to the browser. */
  readonly values?:
    | Readonly<Partial<Record<Exclude<RegisterField, 'password' | 'passwordRepeat' | 'terms'>, string>>>
    | undefined;
  /** Whether people may choose a username; without one, the e-mail address is the login name. */
  readonly asksUserName: boolean;
  readonly clientName?: string | undefined;
  /** The address for users who have an account. */
  readonly signInHref?: ServicePath | undefined;
  readonly errors?: FormErrors<RegisterField>;
}

export function RegisterPage({ context, texts, ...props }: InPage<RegisterProps>): VNode {
  const words = texts.register;
  const focused = fieldInFocus<RegisterField>(registerFields, props.errors);
  const common = (name: RegisterField) => ({
    name,
    label: words[name],
    error: errorOf(props.errors, name, texts),
    focus: name === focused,
  });
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.clientName !== undefined && <Filled text={words.continueTo} values={{ client: props.clientName }} />}
      </Heading>
      <ErrorSummary errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field {...common('email')} kind="email" autocomplete="email" value={props.values?.email} />
        <div class="pair">
          {nameOrder(context.language).map((name) => (
            <Field
              {...common(name)}
              kind="personName"
              autocomplete={name === 'firstName' ? 'given-name' : 'family-name'}
              value={props.values?.[name]}
            />
          ))}
        </div>
        {props.asksUserName && (
          <Field
            {...common('userName')}
            kind="loginName"
            autocomplete="username"
            value={props.values?.userName}
            hint={words.userNameHint}
            optional
          />
        )}
        {props.rules !== undefined && (
          <>
            <PasswordRuleList rules={props.rules} texts={texts} field="password" />
            <Field
              {...common('password')}
              kind="password"
              reveal={texts.password.show}
              autocomplete="new-password"
              describedBy={passwordRulesId}
              {...checkedBy(props.rules, texts)}
            />
            <Field {...common('passwordRepeat')} kind="password" repeats autocomplete="new-password" />
          </>
        )}
        <TermsCheck links={context.look.links} texts={texts} error={errorOf(props.errors, 'terms', texts)} />
        {props.rules === undefined && <p class="hint">{texts.passkeyOffer.what}</p>}
        <SubmitButton>{words.submit}</SubmitButton>
        {props.mayUsePasskey === true && props.rules !== undefined && <PasskeyInstead texts={texts} />}
      </Form>
      {props.signInHref !== undefined && (
        <div class="ways">
          <p>
            {words.haveAccount}{' '}
            <Way context={context} to={props.signInHref}>
              {words.signIn}
            </Way>
          </p>
        </div>
      )}
    </Layout>
  );
}
