import type { VNode } from 'preact';
import { SubmitButton } from '../part/button.js';
import type { InPage } from '../part/context.js';
import { Field, HiddenLoginName } from '../part/field.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorSummary, errorOf, fieldInFocus } from '../part/form-error.js';
import type { PasswordChangeField } from '../part/password-change-fields.js';
import type { PasswordRules } from '../part/password-rules.js';
import { checkedBy, PasswordRuleList, passwordRulesId } from '../part/password-rules.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

export interface AccountPasswordProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly rules: PasswordRules;
  /** Whether the user has a password; otherwise the first one is set. */
  readonly hasPassword: boolean;
  readonly errors?: FormErrors<PasswordChangeField>;
}

export function AccountPasswordPage({ context, texts, frame, ...props }: InPage<AccountPasswordProps>): VNode {
  const words = texts.passwordChange;
  const { errors, hasPassword, rules } = props;
  const fields: readonly [PasswordChangeField, ...PasswordChangeField[]] = hasPassword
    ? ['oldPassword', 'newPassword', 'newPasswordRepeat']
    : ['newPassword', 'newPasswordRepeat'];
  const focused = fieldInFocus<PasswordChangeField>(fields, errors);
  const common = (name: PasswordChangeField) => ({
    kind: 'password' as const,
    name,
    label: words[name],
    reveal: texts.password.show,
    error: errorOf(errors, name, texts),
    focus: name === focused,
  });
  const lead = hasPassword ? texts.accountPassword.others : texts.accountPassword.none;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="password"
      lead={lead}
      hasErrors={Boolean(errors?.length)}
    >
      <ErrorSummary errors={errors} texts={texts} />
      <Form target={props.target}>
        <HiddenLoginName value={frame.person.loginName} />
        {hasPassword && <Field {...common('oldPassword')} autocomplete="current-password" />}
        <PasswordRuleList rules={rules} texts={texts} field="newPassword" />
        <Field
          {...common('newPassword')}
          autocomplete="new-password"
          describedBy={passwordRulesId}
          {...checkedBy(rules, texts)}
        />
        <Field {...common('newPasswordRepeat')} reveal={undefined} repeats autocomplete="new-password" />
        <SubmitButton>{texts.accountPage.save}</SubmitButton>
      </Form>
    </AccountLayout>
  );
}
