import type { VNode } from 'preact';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { QrCode } from './part/qr-code.js';

export interface TotpSetUpProps {
  readonly form: FormTarget;
  /** `otpauth:`, with the seed: shown only to the user who sets it up. */
  readonly keyUri: string;
  /** The same seed in base32, for typing. */
  readonly seed: string;
  readonly errors?: FormErrors<'code'>;
}

export function TotpSetUpPage({ context, texts, ...props }: InPage<TotpSetUpProps>): VNode {
  const words = texts.totpSetUp;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{words.scan}</Heading>
      <QrCode text={props.keyUri} label={words.qrCode} />
      <div class="seed">
        <p>{words.secret}</p>
        <code dir="ltr">{inGroups(props.seed)}</code>
        <a href={props.keyUri}>{words.open}</a>
      </div>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field
          kind="oneTimeCode"
          name="code"
          label={words.label}
          hint={words.hint}
          autocomplete="one-time-code"
          error={errorOf(props.errors, 'code', texts)}
          showError={false}
          focus
        />
        <SubmitButton>{words.submit}</SubmitButton>
        <QuietButton name="decision" value="back" skipsFields>
          {words.back}
        </QuietButton>
      </Form>
    </Layout>
  );
}

function inGroups(seed: string): string {
  return seed.replaceAll(/(.{4})(?=.)/gu, '$1 ');
}
