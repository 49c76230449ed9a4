/** The types of credentials that are keys: besides a password, and in place of one. */
const KEY_TYPES = ['webauthn', 'webauthn-passwordless'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

export function isKeyType(type: string): type is KeyType {
  return KEY_TYPES.some((known) => known === type);
}
