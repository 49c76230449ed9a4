import type { VNode } from 'preact';
import { paths } from '../../org/instance/paths.js';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Field } from '../part/field.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorSummary, errorOf } from '../part/form-error.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

export type AccountDeletionField = 'loginName';

export interface AccountDeletionProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  /** For how long the account can be taken back; 0: not at all. */
  readonly graceDays: number;
  readonly errors?: FormErrors<AccountDeletionField>;
}

/** The page that says what is deleted and what stays, and asks for the login name as the confirmation. */
export function AccountDeletionPage({ context, texts, frame, ...props }: InPage<AccountDeletionProps>): VNode {
  const words = texts.accountDeletion;
  const { errors, graceDays } = props;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="deletion"
      lead={words.what}
      hasErrors={Boolean(errors?.length)}
    >
      <ErrorSummary errors={errors} texts={texts} />
      <p>{graceDays > 0 ? fill(words.grace, { count: graceDays }) : words.now}</p>
      <Form target={props.target}>
        <Field
          kind="loginName"
          name="loginName"
          label={fill(words.loginName, { account: frame.person.loginName })}
          autocomplete="off"
          error={errorOf(errors, 'loginName', texts)}
          focus={Boolean(errors?.length)}
        />
        <button type="submit" id="submit" class="button button-danger">
          {words.submit}
        </button>
      </Form>
      <a class="button button-quiet" href={paths.account}>
        {texts.consent.cancel}
      </a>
    </AccountLayout>
  );
}
