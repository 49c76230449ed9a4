import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { QuietButton } from './part/button.js';
import type { InPage } from './part/context.js';
import { Form, type FormTarget } from './part/form.js';
import { KeyForm, type KeyRequest, NeedsScript } from './part/key-form.js';
import { KeysElsewhere } from './part/keys-elsewhere.js';
import { NamedPage, type NamedPageProps } from './part/named-page.js';
import type { ProviderLink } from './part/provider-links.js';
import { ProviderLinks } from './part/provider-links.js';
import type { ProviderSearch } from './part/provider-search.js';
import { Way } from './part/way.js';

/** The form field `decision`. */
export type PasskeyDecision = 'password';

export interface PasskeyProps extends NamedPageProps {
  readonly passkey: KeyRequest;
  /** The user is signed in, and is asked once more before a change. */
  readonly isConfirming?: boolean | undefined;
  /** The form for choosing the password instead; absent if there is none. */
  readonly form?: FormTarget | undefined;
  /** The keys of a user whom this browser knows were made for another domain: says why none is asked for. */
  readonly areKeysElsewhere?: boolean | undefined;
  /** The address for a mail that helps users who have lost their passkey; absent if that is left to administrators. */
  readonly resetHref?: ServicePath | undefined;
  readonly providers?: readonly ProviderLink[] | undefined;
  readonly providerSearch?: ProviderSearch | undefined;
}

/** The browser asks when the button is pressed, never by itself. */
export function PasskeyPage(props: InPage<PasskeyProps>): VNode {
  const { context, texts } = props;
  const words = texts.passkey;
  return (
    <NamedPage page={props} title={words.title} what={words.what} notYou={texts.password.notYou}>
      {props.isConfirming === true && <p>{texts.password.why}</p>}
      {props.areKeysElsewhere === true && <KeysElsewhere texts={texts} isSigningIn />}
      <KeyForm request={props.passkey} texts={texts} submit={words.submit} />
      <NeedsScript texts={texts} />
      {props.form !== undefined && (
        <Form target={props.form}>
          <QuietButton name="decision" value={'password' satisfies PasskeyDecision}>
            {words.password}
          </QuietButton>
        </Form>
      )}
      <ProviderLinks context={context} providers={props.providers} search={props.providerSearch} texts={texts} />
      {props.resetHref !== undefined && (
        <div class="ways">
          <p>
            <Way context={context} to={props.resetHref}>
              {words.lost}
            </Way>
          </p>
        </div>
      )}
      <details class="more">
        <summary>{words.elsewhere}</summary>
        <p>{words.elsewhereHelp}</p>
      </details>
    </NamedPage>
  );
}
