/** Punctuation between digits. */
const PUNCTUATION = /[\s()\-./]/gu;
/** ITU-T E.164 §6.2.1: fifteen digits at most, country code included; OIDC Core §5.1 recommends this form. */
const E164 = /^\+[1-9]\d{3,14}$/;

/**
 * The number as it is stored, `+49301234567`, in whatever width its characters were typed, as names are compared;
 * undefined if it is not valid.
 */
export function toPhoneNumber(typed: string): string | undefined {
  const bare = typed.normalize('NFKC').replace(PUNCTUATION, '');
  return E164.test(bare) ? bare : undefined;
}

export const phoneRule = 'must be a phone number with its country code, such as +49 30 1234567';
