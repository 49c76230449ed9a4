import type { Case } from './case.js';
import type { Link, SignInExplanation } from './link.js';
import { counted, listed } from './wording.js';

/** Pages on which people only prove who they are, with what they have, or choose. */
const USUAL: ReadonlySet<Link['code']> = new Set([
  'login_name',
  'password',
  'passkey',
  'provider',
  'select_account',
  'second_factor',
  'second_factor_offered',
  'passkey_offered',
  'password_expires_soon',
]);

/** Pages that begin something which others end: one step for whoever reads of it. */
const SHORT: Partial<Record<Link['code'], string>> = {
  second_factor_missing: 'set up a second factor',
  factor_set_up: 'set up a second factor',
  recovery_codes: 'keep recovery codes',
  email_unverified: 'verify the e-mail address',
  password_expired: 'choose a new password',
  password_change_required: 'choose a new password',
  consent: 'agree to what the application gets',
  unknown_account: 'say which account to link',
  link_account: 'link the account',
  register: 'say that there is an account',
  device: 'let the device in',
};

/** The short answer, and one sentence with the reason or with what is to be done. */
export function summaryOf(
  { name }: Pick<Case, 'name'>,
  { application, way }: { readonly application: string; readonly way: string | undefined },
  chain: readonly Link[],
): Pick<SignInExplanation, 'canSignIn' | 'summary'> {
  const to = application === '' ? '' : ` to ${application}`;
  const refusal = chain.find(({ effect }) => effect === 'refuses');
  if (refusal) return { canSignIn: 'no', summary: `${name} cannot sign in${to}. ${refusal.sentence}` };
  const by = way === undefined ? '' : ` ${way}`;
  const due = chain.filter(({ effect, code }) => effect === 'asks' && !USUAL.has(code));
  const deeds = [...new Set(due.map(({ code, step }) => SHORT[code] ?? `take the step ${step}`))];
  if (deeds.length === 0) return { canSignIn: 'yes', summary: `${name} can sign in${to}${by}.` };
  const summary = `${name} can sign in${to}${by}, after ${counted(deeds.length, 'more step')}: ${listed(deeds)}.`;
  return { canSignIn: 'yes_after_steps', summary };
}
