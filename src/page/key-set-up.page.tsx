import type { VNode } from 'preact';
import { QuietButton } from './part/button.js';
import type { InPage } from './part/context.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { NamedPage, type NamedPageProps } from './part/named-page.js';

/** The form field `decision`. */
export type KeySetUpDecision = 'u2f' | 'back';

export interface KeySetUpProps extends NamedPageProps {
  readonly kind: 'passkey' | 'u2f';
  readonly passkey: KeyRequest;
  readonly form: FormTarget;
  /** Whether a security key may be set up instead of a passkey. */
  readonly mayUseSecurityKey: boolean;
}

/** A page on which one press opens one dialog of the device. */
export function KeySetUpPage(props: InPage<KeySetUpProps>): VNode {
  const { texts } = props;
  const isPasskey = props.kind === 'passkey';
  const title = isPasskey ? texts.passkeyOffer.submit : texts.keySetUp.u2f;
  return (
    <NamedPage
      page={props}
      title={title}
      what={isPasskey ? texts.keySetUp.what : texts.securityKey.what}
      notYou={texts.secondFactor.notYou}
    >
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
    </NamedPage>
  );
}
