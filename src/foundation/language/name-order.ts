type NamePart = 'firstName' | 'lastName';

const FAMILY_FIRST: ReadonlySet<string> = new Set(['hu', 'ja', 'ko', 'zh']);
/** Written without a space between family and given name. */
const WITHOUT_SPACE: ReadonlySet<string> = new Set(['ja', 'ko', 'zh']);
/** Letters of these scripts; a name in Latin letters keeps its space in any language. */
const OWN_SCRIPT = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30FC\u30FB]+$/u;

/** In which order readers of a language say the parts of a name. */
export function nameOrder(language: string): readonly [NamePart, NamePart] {
  return FAMILY_FIRST.has(primary(language)) ? ['lastName', 'firstName'] : ['firstName', 'lastName'];
}

/** A whole name as readers of a language write it. */
export function fullNameIn(language: string, name: Readonly<Record<NamePart, string>>): string {
  const parts = nameOrder(language).map((part) => name[part]);
  return parts.join(WITHOUT_SPACE.has(primary(language)) && areWrittenTogether(parts) ? '' : ' ');
}

/** Whether no space separates these parts of a name where the language has none between them. */
export function areWrittenTogether(parts: readonly string[]): boolean {
  return parts.every((part) => OWN_SCRIPT.test(part));
}

function primary(language: string): string {
  return language.split('-', 1)[0] ?? language;
}
