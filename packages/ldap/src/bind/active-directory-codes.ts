/**
 * What Active Directory says in the text of a refused bind, `data 532`, after the right password: codes of Windows in
 * hexadecimal. 525 (no such user), 52e (wrong password) and 775 (locked, whatever the password) mean that nothing was
 * proved.
 */
const WORDS: Readonly<Record<string, string>> = {
  '530': 'not_at_this_time',
  '531': 'not_from_here',
  '532': 'password_expired',
  '533': 'account_disabled',
  '701': 'account_expired',
  '773': 'password_must_change',
};

/** Of userAccountControl: the account is disabled. */
const ACCOUNT_DISABLED = 2;

export function refusalOfActiveDirectory(message: string): string | undefined {
  const [, code] = /\bdata ([0-9a-f]{3,8})\b/i.exec(message) ?? [];
  return code === undefined ? undefined : WORDS[code.toLowerCase()];
}

export function isDisabled(userAccountControl: string | undefined): boolean {
  return userAccountControl !== undefined && (Number(userAccountControl) & ACCOUNT_DISABLED) !== 0;
}
