import type { VNode } from 'preact';
import { SubmitButton } from '../part/button.js';
import type { InPage } from '../part/context.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorNotice } from '../part/form-error.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

export interface AccountDataProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly errors?: FormErrors<never>;
}

export function AccountDataPage({ context, texts, frame, ...props }: InPage<AccountDataProps>): VNode {
  const words = texts.accountData;
  const { errors, target } = props;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="data"
      lead={words.what}
      hasErrors={Boolean(errors?.length)}
    >
      <ErrorNotice errors={errors} texts={texts} />
      <Form target={target}>
        <SubmitButton>{words.submit}</SubmitButton>
      </Form>
    </AccountLayout>
  );
}
