import type { VNode } from 'preact';
import type { InPage } from './context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorSummary, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { Layout } from './part/layout.js';

/** The names on the wire, in the order of the page. */
export type PasskeyLinkField = 'code' | 'factor';

export interface PasskeyLinkProps {
  readonly passkey: KeyRequest;
  /** From the link; the user may also type it. */
  readonly code?: string | undefined;
  readonly account?: string | undefined;
  /** The account holds a second factor, whose code is asked for: of an app, or a recovery code. */
  readonly asksFactor: boolean;
  readonly errors?: FormErrors<PasskeyLinkField>;
}

/** Where the link of a mail adds a passkey. Opening it spends nothing. */
export function PasskeyLinkPage({ context, texts, ...props }: InPage<PasskeyLinkProps>): VNode {
  const words = texts.passkeyLink;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.account !== undefined && <Filled text={words.whatFor} values={{ account: props.account }} />}
      </Heading>
      <ErrorSummary errors={props.errors} texts={texts} />
      <KeyForm request={props.passkey} texts={texts} submit={texts.passkeyOffer.submit}>
        <Field
          kind="mailedCode"
          name="code"
          label={texts.code.label}
          value={props.code}
          autocomplete="one-time-code"
          error={errorOf(props.errors, 'code', texts)}
          focus={props.code === undefined}
        />
        {props.asksFactor && (
          <Field
            kind="recoveryCode"
            name="factor"
            label={texts.passkeyLink.factor}
            hint={words.confirm}
            autocomplete="one-time-code"
            error={errorOf(props.errors, 'factor', texts)}
            focus={props.code !== undefined}
          />
        )}
      </KeyForm>
      <NeedsScript texts={texts} />
      <p class="hint">{words.help}</p>
    </Layout>
  );
}
