import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import { errorOf } from './part/form-error.js';
import { NamedPage, type NamedPageProps } from './part/named-page.js';
import { Way } from './part/way.js';

export type CodeSource = 'otp' | 'otp_email' | 'recovery_codes';

/** The form field `decision`; without one the code is sent in. */
export type CodeDecision = 'send' | 'back';

/** Another second factor, and the address of its page. */
export interface OtherFactor {
  readonly source: CodeSource | 'u2f';
  readonly href: ServicePath;
}

export interface SecondFactorProps extends NamedPageProps<'code'> {
  readonly form: FormTarget;
  /** The place where the user finds the code. */
  readonly source: CodeSource;
  /** The shortened address for codes by mail, and whether a code was sent. */
  readonly mail?: { readonly address: string; readonly isSent: boolean } | undefined;
  /** Other second factors. */
  readonly others: readonly OtherFactor[];
  /** Whether the factor is being set up, so that another one may be set up instead. */
  readonly isSetUp: boolean;
}

export function SecondFactorPage(props: InPage<SecondFactorProps>): VNode {
  const { context, texts, mail } = props;
  const words = texts.secondFactor;
  const isAsked = mail === undefined || mail.isSent;
  return (
    <NamedPage
      page={props}
      title={words.title}
      what={
        mail === undefined ? (
          words.where[props.source]
        ) : (
          <Filled text={mail.isSent ? words.sent : words.canSend} values={{ email: mail.address }} />
        )
      }
      notYou={words.notYou}
    >
      <Form target={props.form}>
        {isAsked && (
          <Field
            kind={props.source === 'recovery_codes' ? 'recoveryCode' : 'oneTimeCode'}
            name="code"
            label={words.label[props.source]}
            autocomplete={props.source === 'recovery_codes' ? 'off' : 'one-time-code'}
            error={errorOf(props.errors, 'code', texts)}
            showError={false}
            focus
          />
        )}
        {isAsked ? (
          <SubmitButton>{words.submit}</SubmitButton>
        ) : (
          <SubmitButton name="decision" value={'send' satisfies CodeDecision}>
            {words.send}
          </SubmitButton>
        )}
        {mail?.isSent === true && (
          <QuietButton name="decision" value={'send' satisfies CodeDecision} skipsFields>
            {words.sendAgain}
          </QuietButton>
        )}
        {props.isSetUp && (
          <QuietButton name="decision" value={'back' satisfies CodeDecision} skipsFields>
            {texts.totpSetUp.back}
          </QuietButton>
        )}
      </Form>
      <OtherFactors context={context} texts={texts} others={props.others} />
    </NamedPage>
  );
}

/** The ways to the other second factors of the user. */
export function OtherFactors({
  context,
  texts,
  others,
}: InPage<{ readonly others: readonly OtherFactor[] }>): VNode | null {
  const words = texts.secondFactor;
  if (others.length === 0) return null;
  return (
    <ul class="ways" aria-label={words.others}>
      {others.map(({ source, href }) => (
        <li>
          <Way context={context} to={href}>
            {source === 'u2f' ? texts.securityKey.title : words.instead[source]}
          </Way>
        </li>
      ))}
    </ul>
  );
}
