import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, ErrorSummary, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { Layout } from './part/layout.js';
import { Way } from './part/way.js';

/** The names on the wire, in the order of the pages. */
export type PasskeyLinkField = 'loginName' | 'code' | 'factor';

interface Asked {
  /** The address was typed by hand: the user types the name as well. */
  readonly asksName?: boolean | undefined;
  readonly loginName?: string | undefined;
  /** The code from the link; the user may also type it. */
  readonly code?: string | undefined;
  /** Whose passkey it becomes: known once the code was right. */
  readonly account?: string | undefined;
  readonly errors?: FormErrors<PasskeyLinkField>;
}

/** `code`: nobody is known yet; `factor`: the code was right; `key`: and nothing else has to be confirmed. */
export type PasskeyLinkProps = Asked &
  (
    | {
        readonly asks: 'code' | 'factor';
        readonly form: FormTarget;
        /** The address at which users request another mail themselves; absent if only an administrator sends one. */
        readonly resetHref?: ServicePath | undefined;
      }
    | { readonly asks: 'key'; readonly passkey: KeyRequest }
  );

/**
 * The page to which the link of a mail leads to add a passkey: a code, a second step if the account has one, and the
 * key. Opening it spends nothing, nor does any of its forms but the last one: programs that look at mails open links,
 * and people try twice.
 */
export function PasskeyLinkPage({ context, texts, ...props }: InPage<PasskeyLinkProps>): VNode {
  const words = texts.passkeyLink;
  const { asks, account, errors } = props;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(errors?.length)}>
      <Heading title={words.title}>
        {account !== undefined && <Filled text={words.whatFor} values={{ account }} />}
        {props.code === undefined && asks === 'code' && texts.setUp.codeOnly}
      </Heading>
      {asks === 'key' ? <ErrorNotice errors={errors} texts={texts} /> : <ErrorSummary errors={errors} texts={texts} />}
      {props.asks !== 'key' ? (
        <Form target={props.form}>
          {props.asks === 'code' && <CodeFields {...props} context={context} texts={texts} />}
          {props.asks === 'factor' && (
            <Field
              kind="recoveryCode"
              name="factor"
              label={words.factor}
              hint={words.confirm}
              autocomplete="one-time-code"
              error={errorOf(errors, 'factor', texts)}
              focus
            />
          )}
          <SubmitButton>{texts.passkey.submit}</SubmitButton>
        </Form>
      ) : (
        <KeyForm request={props.passkey} texts={texts} submit={texts.passkeyOffer.submit} />
      )}
      <NeedsScript texts={texts} />
      {props.asks === 'code' && props.resetHref === undefined && <p class="hint">{words.help}</p>}
      {props.asks === 'code' && props.resetHref !== undefined && (
        <div class="ways">
          <p>
            <Way context={context} to={props.resetHref}>
              {texts.code.resend}
            </Way>
          </p>
        </div>
      )}
    </Layout>
  );
}

function CodeFields({ asksName, loginName, code, errors, texts }: InPage<PasskeyLinkProps>): VNode {
  return (
    <>
      {asksName === true && (
        <Field
          kind="loginName"
          name="loginName"
          label={texts.loginName.label}
          value={loginName}
          autocomplete="username"
          error={errorOf(errors, 'loginName', texts)}
          focus={errors?.every(({ field }) => field === 'loginName') ?? true}
        />
      )}
      <Field
        kind="mailedCode"
        name="code"
        label={texts.code.label}
        value={code}
        autocomplete="one-time-code"
        error={errorOf(errors, 'code', texts)}
        focus={asksName !== true}
      />
    </>
  );
}
