import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { TypedName } from './part/account.js';
import { SubmitButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Field, HiddenLoginName } from './part/field.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice, errorOf } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { KeyForm, type KeyRequest } from './part/key-form.js';
import { KeysElsewhere } from './part/keys-elsewhere.js';
import { Layout } from './part/layout.js';
import type { ProviderLink } from './part/provider-links.js';
import { ProviderLinks } from './part/provider-links.js';
import type { ProviderSearch } from './part/provider-search.js';
import { Way } from './part/way.js';

export interface PasswordProps {
  readonly form: FormTarget;
  /** Exactly what was typed, never the stored spelling: the page must not reveal whether the account exists. */
  readonly loginName: string;
  /** The address that leads back, to choose another account. */
  readonly otherAccountHref: ServicePath;
  /** Other ways to sign in: for a known account, the provider that it used last. */
  readonly providers?: readonly ProviderLink[] | undefined;
  readonly providerSearch?: ProviderSearch | undefined;
  /** The name of the application to which the sign-in leads. */
  readonly clientName?: string | undefined;
  /** The user is signed in, and is asked once more before a change. */
  readonly isConfirming?: boolean | undefined;
  /** Absent if users may not reset their own passwords. */
  readonly resetHref?: ServicePath | undefined;
  /** The keys of a user whom this browser knows were made for another domain: says why none is asked for. */
  readonly areKeysElsewhere?: boolean | undefined;
  /** Absent if no passkey can be used here. */
  readonly passkey?: KeyRequest | undefined;
  readonly errors?: FormErrors<'password'>;
}

export function PasswordPage({ context, texts, ...props }: InPage<PasswordProps>): VNode {
  const words = texts.password;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.isConfirming === true && words.why}
        {props.clientName !== undefined && (
          <Filled text={texts.loginName.continueTo} values={{ client: props.clientName }} />
        )}
      </Heading>
      <TypedName
        context={context}
        loginName={props.loginName}
        otherHref={props.otherAccountHref}
        otherText={words.notYou}
      />
      <ErrorNotice errors={props.errors} texts={texts} />
      {props.areKeysElsewhere === true && <KeysElsewhere texts={texts} isSigningIn />}
      <Form target={props.form}>
        <HiddenLoginName value={props.loginName} />
        <Field
          kind="password"
          name="password"
          label={words.label}
          reveal={words.show}
          autocomplete={props.passkey === undefined ? 'current-password' : 'current-password webauthn'}
          error={errorOf(props.errors, 'password', texts)}
          showError={false}
          focus
        />
        <SubmitButton>{words.submit}</SubmitButton>
      </Form>
      {props.passkey !== undefined && (
        <KeyForm request={props.passkey} texts={texts} submit={texts.passkey.signIn} isQuiet />
      )}
      {props.resetHref !== undefined && (
        <div class="ways">
          <p>
            <Way context={context} to={props.resetHref}>
              {words.forgot}
            </Way>
          </p>
        </div>
      )}
      <ProviderLinks context={context} providers={props.providers} search={props.providerSearch} texts={texts} />
    </Layout>
  );
}
