import type { VNode } from 'preact';
import { QuietButton } from '../part/button.js';
import type { InPage } from '../part/context.js';
import { Field } from '../part/field.js';
import { Filled } from '../part/filled.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorSummary, errorOf } from '../part/form-error.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

export type AccountContactField = 'email' | 'code' | 'phone';

/** The field `decision`. */
export type AccountContactDecision = 'email' | 'code' | 'cancel' | 'phone';

export interface AccountContactProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  /** The address that signs in and receives. */
  readonly email: string;
  /** The new address that waits for its code. */
  readonly pending?: string | undefined;
  /** The settings that the organization leaves to its users. */
  readonly mayChange: { readonly email: boolean; readonly phone: boolean };
  readonly typed: { readonly email: string; readonly code: string; readonly phone: string };
  readonly errors?: FormErrors<AccountContactField>;
}

export function AccountContactPage({ context, texts, frame, ...props }: InPage<AccountContactProps>): VNode {
  const words = texts.accountContact;
  const { target, email, mayChange, typed, errors } = props;
  const pending = mayChange.email ? props.pending : undefined;
  const faulty = errors?.find(({ field }) => field !== undefined)?.field;
  const field = (name: AccountContactField) => ({
    name,
    value: typed[name],
    error: errorOf(errors, name, texts),
    focus: name === faulty,
  });
  return (
    <AccountLayout context={context} texts={texts} frame={frame} section="contact" hasErrors={Boolean(errors?.length)}>
      <ErrorSummary errors={errors} texts={texts} />
      <p>
        <Filled text={words.current} values={{ email }} />
      </p>
      {pending !== undefined && (
        <div class="notice notice-info" role="status">
          <p>
            <Filled text={words.pending} values={{ email: pending, account: email }} />
          </p>
        </div>
      )}
      {pending !== undefined && (
        <Form target={target}>
          <Field
            {...field('code')}
            kind="mailedCode"
            label={texts.code.label}
            hint={texts.code.hint}
            autocomplete="one-time-code"
          />
          <button type="submit" class="button" name="decision" value={'code' satisfies AccountContactDecision}>
            {texts.verifyEmail.submit}
          </button>
          <QuietButton name="decision" value={'cancel' satisfies AccountContactDecision} skipsFields>
            {words.cancel}
          </QuietButton>
        </Form>
      )}
      {mayChange.email && (
        <Form target={target}>
          <Field {...field('email')} kind="email" label={words.newEmail} autocomplete="email" />
          <button
            type="submit"
            class={pending === undefined ? 'button' : 'button button-quiet'}
            name="decision"
            value={'email' satisfies AccountContactDecision}
          >
            {words.change}
          </button>
        </Form>
      )}
      {mayChange.phone && (
        <Form target={target}>
          <Field
            {...field('phone')}
            kind="phone"
            label={words.phone}
            hint={words.phoneHint}
            autocomplete="tel"
            optional
          />
          <button
            type="submit"
            class="button button-quiet"
            name="decision"
            value={'phone' satisfies AccountContactDecision}
          >
            {texts.accountPage.save}
          </button>
        </Form>
      )}
    </AccountLayout>
  );
}
