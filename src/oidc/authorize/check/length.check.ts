import type { Form } from '../../../foundation/http/form.js';

/**
 * `state` and `nonce` are stored with a pending request, and `state` comes back in a header. Clients send some dozens
 * of characters; longer values might not pass through every browser and proxy.
 */
const MAX_CHARACTERS = 4096;

export function isTooLong(form: Form, name: 'state' | 'nonce'): boolean {
  return isTooLongValue(form.find(name));
}

export function isTooLongValue(value: string | undefined): boolean {
  return (value?.length ?? 0) > MAX_CHARACTERS;
}
