import type { VNode } from 'preact';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

/** The name of the field, also in the link that a device shows (RFC 8628 §3.3.1). */
export const USER_CODE = 'user_code';

export interface DeviceProps {
  readonly form: FormTarget;
  /** The code from the link, or as typed. */
  readonly userCode?: string | undefined;
  readonly errors?: FormErrors<typeof USER_CODE>;
}

/**
 * RFC 8628 §3.3: asks for the code that a device shows. One that came with the link is shown as well, because somebody
 * who follows a link from somebody else has no device that shows it.
 */
export function DevicePage({ context, texts, ...props }: InPage<DeviceProps>): VNode {
  const words = texts.device;
  const isLinked = props.userCode !== undefined && !props.errors?.length;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>{isLinked ? words.compare : words.what}</Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field
          kind="mailedCode"
          name={USER_CODE}
          label={texts.code.label}
          hint={words.hint}
          value={props.userCode}
          autocomplete="one-time-code"
          error={errorOf(props.errors, USER_CODE, texts)}
          showError={false}
          focus
        />
        <SubmitButton>{texts.consent.submit}</SubmitButton>
      </Form>
    </Layout>
  );
}
