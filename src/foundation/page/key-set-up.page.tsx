import type { VNode } from 'preact';
import type { InPage } from './context.js';
import { TypedName } from './part/account.js';
import { QuietButton } from './part/button.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { Layout } from './part/layout.js';
import type { OwnPath } from './paths.js';

/** The form field `decision`. */
export type KeySetUpDecision = 'u2f' | 'back';

export interface KeySetUpProps {
  readonly kind: 'passkey' | 'u2f';
  readonly passkey: KeyRequest;
  readonly form: FormTarget;
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
  /** Whether a security key may be set up instead of a passkey. */
  readonly mayUseSecurityKey: boolean;
  readonly errors?: FormErrors<never>;
}

/** One press, and one dialog of the device. */
export function KeySetUpPage({ context, texts, ...props }: InPage<KeySetUpProps>): VNode {
  const isPasskey = props.kind === 'passkey';
  const title = isPasskey ? texts.passkeyOffer.submit : texts.keySetUp.u2f;
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={title}>{isPasskey ? texts.keySetUp.what : texts.securityKey.what}</Heading>
      <TypedName
        context={context}
        loginName={props.loginName}
        otherHref={props.otherAccountHref}
        otherText={texts.secondFactor.notYou}
      />
      <ErrorNotice errors={props.errors} texts={texts} />
      <KeyForm
        request={props.passkey}
        texts={texts}
        submit={isPasskey ? texts.keySetUp.submit : texts.passkey.submit}
      />
      <NeedsScript texts={texts} />
      <Form target={props.form}>
        {isPasskey && props.mayUseSecurityKey && (
          <QuietButton name="decision" value={'u2f' satisfies KeySetUpDecision}>
            {texts.keySetUp.instead}
          </QuietButton>
        )}
        <QuietButton name="decision" value={'back' satisfies KeySetUpDecision}>
          {texts.totpSetUp.back}
        </QuietButton>
      </Form>
    </Layout>
  );
}
