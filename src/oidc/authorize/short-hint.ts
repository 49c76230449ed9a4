import type { Form } from '../../foundation/http/form.js';
import type { IdTokenHints } from '../../token/id-token-hint.js';
import { withValue } from './pushed-request.js';

const HINT = 'id_token_hint';

/**
 * The form with a hint that fits into an address: an ID token may be longer than that. One that cannot be verified
 * counts as absent, as it would there.
 */
export async function withShortHint(form: Form, hints: IdTokenHints): Promise<Form> {
  const hint = form.find(HINT);
  const short = hint && (await hints.shortened(hint));
  return hint === short ? form : withValue(form, HINT, short);
}
