import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { QuietButton, SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { KeyForm, type KeyRequest } from './part/key-form.js';
import { Layout } from './part/layout.js';
import type { ProviderLink } from './part/provider-links.js';
import { ProviderLinks } from './part/provider-links.js';
import type { ProviderSearch } from './part/provider-search.js';
import { Way } from './part/way.js';

/** The form field `decision`, where an account is to be linked. */
export type LinkingDecision = 'cancel';

export interface LoginNameProps {
  readonly form: FormTarget;
  /** The name that was typed before, or `login_hint` (OIDC Core §3.1.2.1). */
  readonly loginName?: string | undefined;
  readonly clientName?: string | undefined;
  /** The provider whose account is to be linked; the user may turn back. */
  readonly linkTo?: string | undefined;
  /** Other ways in. */
  readonly providers?: readonly ProviderLink[] | undefined;
  readonly providerSearch?: ProviderSearch | undefined;
  /** The address of the registration; absent if it is closed. */
  readonly registerHref?: ServicePath | undefined;
  /** Absent if this browser knows no account. */
  readonly accountsHref?: ServicePath | undefined;
  /** The domain that belongs to every name here, such as `@acme.test`. */
  readonly suffix?: string | undefined;
  /** Absent if no passkey can be used here. */
  readonly passkey?: KeyRequest | undefined;
  readonly errors?: FormErrors<'loginName'>;
}

export function LoginNamePage({ context, texts, ...props }: InPage<LoginNameProps>): VNode {
  const words = texts.loginName;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.linkTo !== undefined && <Filled text={words.linkTo} values={{ provider: props.linkTo }} />}
        {props.linkTo === undefined && props.clientName !== undefined && (
          <Filled text={words.continueTo} values={{ client: props.clientName }} />
        )}
      </Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <Field
          kind="loginName"
          name="loginName"
          label={words.label}
          hint={words.hint}
          value={props.loginName}
          suffix={props.suffix}
          autocomplete={props.passkey === undefined ? 'username' : 'username webauthn'}
          error={errorOf(props.errors, 'loginName', texts)}
          showError={false}
          focus
        />
        <SubmitButton>{words.submit}</SubmitButton>
        {props.linkTo !== undefined && (
          <QuietButton name="decision" value={'cancel' satisfies LinkingDecision} skipsFields>
            {texts.externalUser.cancel}
          </QuietButton>
        )}
      </Form>
      {props.passkey !== undefined && (
        <KeyForm request={props.passkey} texts={texts} submit={texts.passkey.signIn} isQuiet />
      )}
      <ProviderLinks context={context} providers={props.providers} search={props.providerSearch} texts={texts} />
      {(props.registerHref ?? props.accountsHref) !== undefined && (
        <div class="ways">
          {props.registerHref !== undefined && (
            <p>
              {words.newHere}{' '}
              <Way context={context} to={props.registerHref}>
                {words.register}
              </Way>
            </p>
          )}
          {props.accountsHref !== undefined && (
            <p>
              <Way context={context} to={props.accountsHref}>
                {words.accounts}
              </Way>
            </p>
          )}
        </div>
      )}
    </Layout>
  );
}
