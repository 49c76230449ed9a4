import type { ComponentChildren, VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import { type FormTarget, TargetFields } from './form.js';

/** The field with the answer of the authenticator. */
export const CREDENTIAL = 'credential';

/** The id of the key in that answer, which comes from the browser as it likes. */
export function idOfKey(credential: string | undefined): string | undefined {
  return /"id":"([\w-]{1,1400})"/.exec(credential ?? '')?.[1];
}

/** A form that a passkey or security key fills in. */
export interface KeyRequest {
  readonly form: FormTarget;
  /** Whether a key is used, or made. */
  readonly ceremony: 'get' | 'create';
  /** The options for the browser, as JSON (WebAuthn Level 3 §5.1.8 and §5.1.9). */
  readonly options: string;
  /** The browser may offer passkeys in the field of the page that takes them. */
  readonly fillsField?: boolean;
  /** The id of a key that is not known here any more: the browser may forget it. */
  readonly unknownKey?: string | undefined;
}

interface KeyFormProps {
  readonly request: KeyRequest;
  readonly texts: PageTexts;
  readonly submit: string;
  /** Whether it is one way among others. */
  readonly isQuiet?: boolean;
  readonly children?: ComponentChildren;
}

/** Hidden until the script finds that the browser has passkeys: without either, the rest of the page remains. */
export function KeyForm({ request, texts, submit, isQuiet = false, children }: KeyFormProps): VNode {
  const words = request.ceremony === 'get' ? texts.passkey : texts.keySetUp;
  return (
    <>
      <form
        class="form key-form"
        method="post"
        action={request.form.action}
        data-passkey={request.ceremony}
        data-options={request.options}
        data-fills={request.fillsField === true ? 'true' : undefined}
        data-unknown={request.unknownKey}
        data-cancelled={words.cancelled}
        data-unsupported={isQuiet ? undefined : words.unsupported}
        data-exists={texts.formError.passkeyExists}
        hidden
      >
        <TargetFields target={request.form} />
        <input type="hidden" name={CREDENTIAL} value="" />
        {children}
        <button type="submit" id={isQuiet ? undefined : 'submit'} class={isQuiet ? 'button button-quiet' : 'button'}>
          {submit}
        </button>
      </form>
      <p class="key-status" role="status"></p>
    </>
  );
}

/** The reason why nothing can be pressed on a page about a key without a script. */
export function NeedsScript({ texts }: { readonly texts: PageTexts }): VNode {
  return (
    <noscript>
      <div class="notice notice-info">
        <p>{texts.passkey.needsScript}</p>
      </div>
    </noscript>
  );
}
