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

export interface KeyNameProps {
  readonly kind: 'passkey' | 'u2f';
  readonly form: FormTarget;
  /** The current name of the key. */
  readonly name: string;
  readonly errors?: FormErrors<'name'>;
}

/** The key is there; its owner may call it something else. */
export function KeyNamePage({ context, texts, ...props }: InPage<KeyNameProps>): VNode {
  const words = texts.keyName;
  const title = words[props.kind];
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={title} />
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field
          kind="keyName"
          name="name"
          label={words.label}
          hint={words.hint}
          value={props.name}
          autocomplete="off"
          error={errorOf(props.errors, 'name', texts)}
          showError={false}
          focus
        />
        <SubmitButton>{texts.setUp.submit}</SubmitButton>
      </Form>
    </Layout>
  );
}
