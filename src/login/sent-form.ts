import { Form } from '../foundation/http/form.js';
import type { ServicePath } from '../org/instance/paths.js';
import { DIRECTORY_ID } from '../page/directory.page.js';
import type { FormError } from '../page/part/form-error.js';
import { CREDENTIAL, idOfKey } from '../page/part/key-form.js';
import { PROVIDER_NAME } from '../page/part/provider-search.js';
import { tooManyAttempts } from '../page/part/too-many-attempts.js';
import type { SentForm } from '../session/auth-request/auth-request.js';
import type { Retry } from './login-step.js';
import type { Visit } from './visit.js';

/**
 * The fields that pages show again. They are named one by one, since all others may be a password, a code, or an
 * extension's secret.
 */
const SHOWN_AGAIN = [
  'loginName',
  'email',
  'firstName',
  'lastName',
  'userName',
  'name',
  'action',
  PROVIDER_NAME,
  DIRECTORY_ID,
];

/** A sent form as the address of the next page carries it ([record 44](../../docs/adr/0044-a-sign-in.md)). */
export function sentForm(path: ServicePath, form: Form, errors?: readonly FormError[]): SentForm {
  const typed = SHOWN_AGAIN.map((name) => [name, form.find(name)] as const);
  const key = idOfKey(form.find(CREDENTIAL));
  return {
    path,
    typed: Object.fromEntries([
      ...typed.filter(([, value]) => value !== undefined),
      ...(key === undefined ? [] : [[CREDENTIAL, JSON.stringify({ id: key })]]),
    ]) as Record<string, string>,
    errors,
  };
}

/** The parts of a form that its step shows again; undefined if the form only asked for the page. */
export function retryOf(
  { typed, errors, waitsUntilMs = 0 }: SentForm,
  { now, setting }: Visit,
): (Retry & { readonly waitSeconds: number }) | undefined {
  const waitSeconds = Math.max(0, Math.ceil((waitsUntilMs - now.getTime()) / 1000));
  const wait = waitSeconds > 0 ? [tooManyAttempts({ retryAfterSeconds: waitSeconds }, setting)] : [];
  const form = Form.parse(new URLSearchParams(typed).toString());
  // Sealed by `sentForm` above, with reasons that pages have words for.
  return errors && { form, errors: [...(errors as readonly FormError[]), ...wait], waitSeconds };
}
