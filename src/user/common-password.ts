import { readFileSync } from 'node:fs';
import { packageFile } from '../foundation/config/package-file.js';

/** No policy of a new instance permits a shorter one; a policy that does has these as words alone. */
const LEAST_CHARACTERS = 8;
/** How many of the shorter entries count, as words to which people add a year or a sign. */
const MOST_WORDS = 4_000;
/** The shortest word of the user's own that is not allowed: shorter ones occur in any name. */
const LEAST_OWN_CHARACTERS = 4;
/** Limits for what people add to a word so that it looks like a password: a year and a few signs. */
const MOST_ADDED_DIGITS = 4;
const MOST_ADDED_SIGNS = 4;
const LEAST_RUN = 3;
/** Characters in the order of keyboards and alphabets; they are read in both directions. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((run) => [run, [...run].reverse().join('')]);
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

let common: ReadonlySet<string> | undefined;

/** Read when a password is chosen for the first time: most processes never need it. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readDictionary());
  return common;
}

/**
 * A list in lower case, the most frequent first. The package's entry would also load its other dictionaries and
 * keyboards.
 */
function readDictionary(): string[] {
  const file = packageFile('@zxcvbn-ts/language-common/src/passwords.json');
  const entries = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const long = entries.filter((entry) => entry.length >= LEAST_CHARACTERS);
  const words = entries.filter((entry) => entry.length < LEAST_CHARACTERS && /\p{L}/u.test(entry));
  return [...long, ...words.slice(0, MOST_WORDS)];
}

/**
 * Whether a password is one that guessers try first (NIST SP 800-63B-4, section 3.1.1.2): common, expected for this
 * user (`own`: names and addresses), or nothing but a repetition or a run. The whole password is compared, never a part
 * of it: a common word within a longer sentence is fine.
 */
export function isEasyToGuess(password: string, own: readonly string[]): boolean {
  const typed = password.normalize('NFKC').toLowerCase();
  const expected = new Set(own.flatMap(wordsOf).filter((word) => [...word].length >= LEAST_OWN_CHARACTERS));
  const isKnown = (word: string): boolean => expected.has(word) || commonPasswords().has(word);
  const unit = unitOf(typed);
  if (unit !== typed && [...unit].length <= LEAST_OWN_CHARACTERS) return true;
  const forms = formsOf(typed);
  return [...forms, ...forms.map(unitOf)].some(isKnown) || isOnlyRuns(typed);
}

/** A name or an address as people use it in passwords: whole, and without its domain. */
function wordsOf(own: string): string[] {
  const text = own.normalize('NFKC').trim().toLowerCase();
  return [text, text.split('@', 1)[0] ?? '', text.replaceAll(/[\s.@_-]+/gu, '')];
}

/** What remains of a password without what is usually added to a word, or put in place of its letters. */
function formsOf(text: string): string[] {
  const forms = [text, text.replaceAll(/[\s.@_-]+/gu, '')];
  const [, before = '', word = '', after = ''] = /^([^\p{L}]*)(.*?\p{L}?)([^\p{L}]*)$/su.exec(text) ?? [];
  const added = before + after;
  const digits = added.replaceAll(/\D/gu, '').length;
  const isUsual = digits <= MOST_ADDED_DIGITS && added.length - digits <= MOST_ADDED_SIGNS;
  if (isUsual || isOnlyRuns(added)) forms.push(word);
  return forms.flatMap((form) => [form, [...form].map((sign) => SUBSTITUTES[sign] ?? sign).join('')]);
}

/** The shortest text of which this one is a repetition. */
function unitOf(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).slice(0, text.length) === text) return unit;
  }
  return text;
}

/** `123456789`, `abcdef123456`, `qwertyuiop`, `aaaaaabbbbbb`. */
function isOnlyRuns(text: string): boolean {
  let rest = text;
  while (rest.length > 0) {
    const length = runAt(rest);
    if (length < Math.min(LEAST_RUN, text.length)) return false;
    rest = rest.slice(length);
  }
  return text.length >= LEAST_RUN;
}

function runAt(text: string): number {
  let longest = /^(.)\1*/su.exec(text)?.[0].length ?? 0;
  for (const run of RUNS) {
    let length = longest + 1;
    while (length <= text.length && run.includes(text.slice(0, length))) longest = length++;
  }
  return longest;
}
