import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { TypedName } from './part/account.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field, HiddenLoginName } from './part/field.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorSummary, errorOf, fieldInFocus } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { type PasswordChangeField, passwordChangeFields } from './part/password-change-fields.js';
import type { PasswordRules } from './part/password-rules.js';
import { checkedBy, PasswordRuleList, passwordRulesId } from './part/password-rules.js';

export interface PasswordChangeProps {
  readonly form: FormTarget;
  readonly rules: PasswordRules;
  readonly loginName: string;
  readonly otherAccountHref: ServicePath;
  /** The reason for which the person must choose a new password. */
  readonly because: 'required' | 'expired';
  readonly errors?: FormErrors<PasswordChangeField>;
}

export function PasswordChangePage({ context, texts, ...props }: InPage<PasswordChangeProps>): VNode {
  const words = texts.passwordChange;
  const focused = fieldInFocus<PasswordChangeField>(passwordChangeFields, props.errors);
  const common = (name: PasswordChangeField) => ({
    kind: 'password' as const,
    name,
    label: words[name],
    reveal: texts.password.show,
    error: errorOf(props.errors, name, texts),
    focus: name === focused,
  });
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{words[props.because]}</Heading>
      <TypedName
        context={context}
        loginName={props.loginName}
        otherHref={props.otherAccountHref}
        otherText={words.notYou}
      />
      <ErrorSummary errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <HiddenLoginName value={props.loginName} />
        <Field {...common('oldPassword')} autocomplete="current-password" />
        <PasswordRuleList rules={props.rules} texts={texts} field="newPassword" />
        <Field
          {...common('newPassword')}
          autocomplete="new-password"
          describedBy={passwordRulesId}
          {...checkedBy(props.rules, texts)}
        />
        <Field {...common('newPasswordRepeat')} reveal={undefined} repeats autocomplete="new-password" />
        <SubmitButton>{words.submit}</SubmitButton>
      </Form>
    </Layout>
  );
}
