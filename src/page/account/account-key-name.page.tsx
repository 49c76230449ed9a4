import type { VNode } from 'preact';
import { paths } from '../../org/instance/paths.js';
import { SubmitButton } from '../part/button.js';
import type { InPage } from '../part/context.js';
import { Field } from '../part/field.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorNotice, errorOf } from '../part/form-error.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

export interface AccountKeyNameProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  /** The current name of the key, or the one that was typed. */
  readonly name: string;
  readonly errors?: FormErrors<'name'>;
}

/** The page that gives a key another name. */
export function AccountKeyNamePage({ context, texts, frame, ...props }: InPage<AccountKeyNameProps>): VNode {
  const { target, name, errors } = props;
  return (
    <AccountLayout context={context} texts={texts} frame={frame} section="keys" hasErrors={Boolean(errors?.length)}>
      <ErrorNotice errors={errors} texts={texts} />
      <Form target={target}>
        <Field
          kind="keyName"
          name="name"
          label={texts.keyName.label}
          hint={texts.keyName.hint}
          value={name}
          autocomplete="off"
          error={errorOf(errors, 'name', texts)}
          showError={false}
          focus
        />
        <SubmitButton>{texts.accountPage.save}</SubmitButton>
      </Form>
      <a class="button button-quiet" href={paths.accountKeys}>
        {texts.consent.cancel}
      </a>
    </AccountLayout>
  );
}
