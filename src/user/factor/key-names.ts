/** Longer names would fill a page. */
const MAX_NAME_CHARACTERS = 100;

/**
 * The names of passkey managers by the AAGUID that they send, those of the community's list that most people use. An
 * AAGUID is not proved, so that it only makes a label and decides nothing.
 */
const MAKERS: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
};

/** A passkey or a security key, as its owner sees it. */
export interface NamedKey {
  readonly kind: 'passkey' | 'u2f';
  /** The stored name; one of `UNNAMED_KEY`, in English, if neither the key's manager nor its owner has named it. */
  readonly name: string;
}

/** The English names of keys that neither their manager nor their owner has named. */
export const UNNAMED_KEY: Readonly<Record<NamedKey['kind'], RegExp>> = {
  passkey: /^Passkey(?<number> \d+)?$/u,
  u2f: /^Security key(?<number> \d+)?$/u,
};

/** The names of keys whose keeper is not known. */
export const FIRST_NAMES: Readonly<Record<NamedKey['kind'], string>> = { passkey: 'Passkey', u2f: 'Security key' };

/** Whether a key is called what it is, because neither its keeper is known nor its owner has named it. */
export function isUnnamed({ kind, name }: NamedKey): boolean {
  return UNNAMED_KEY[kind].test(name);
}

/** The first name of a new key: that of its keeper, with a number if the user has one of that name. */
export function nameOfNewKey(aaguid: string, fallback: string, taken: readonly string[]): string {
  const name = MAKERS[aaguid] ?? fallback;
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name} ${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}

/** The requirement of `parseKeyName`. */
export const KEY_NAME_RULE = `must have 1 to ${MAX_NAME_CHARACTERS} characters, and no control characters`;

/** The name as it is stored; undefined if it cannot be one: too long, empty, or with characters that are not seen. */
export function parseKeyName(typed: string): string | undefined {
  const name = typed.trim().normalize('NFC');
  const characters = [...name].length;
  // Control characters, and those that change the direction of what follows.
  if (
    characters < 1 ||
    characters > MAX_NAME_CHARACTERS ||
    /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(name)
  )
    return undefined;
  return name;
}
