import type { Form } from '../../../foundation/http/form.js';
import type { Prompt } from '../../../session/auth-request/auth-request.js';
import { refusal } from '../../oidc.errors.js';

const KNOWN: ReadonlySet<string> = new Set<Prompt>(['none', 'login', 'consent', 'select_account', 'create']);

/** OIDC Core §3.1.2.1: `none` excludes other values; unknown values are ignored. @throws OAuthError invalid_request */
export function parsePrompt(form: Form): Prompt[] {
  const words = form.words('prompt');
  if (words.includes('none') && words.length > 1) throw refusal.promptNoneCombined();
  return [...new Set(words.filter((word): word is Prompt => KNOWN.has(word)))];
}
