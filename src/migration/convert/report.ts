import type { SourceObject } from './source-object.js';

/** How many objects of a kind are named. */
const MAX_EXAMPLES = 10;
const SHOWN_EXAMPLES = 3;
/** A higher limit for placeholders, since each must be looked at. */
const MAX_PLACEHOLDERS = 1_000;
const MAX_EXAMPLE_CHARACTERS = 200;

const PLACEHOLDERS =
  'Placeholders instead of values, such as ${NAME}: left out. Write the values into the files, or convert from Keycloak with --replace-placeholders, which takes them from the environment';
/** Members of users that may hold what they sign in with. */
const CREDENTIAL =
  /^(?:(?:user|hashed?|encrypted|crypted|custom|salted)?_?(?:pass(?:word|wd|code)?s?|pwd|secret)(?:_?(?:hash(?:ed)?|digest|salt|crypt))?|hash|salt|credentials(?:\.(?:value|secretData|credentialData))?|totp_?(?:secret|seed)|mfa_factors)$/i;

interface Note {
  readonly kind: string;
  readonly important: boolean;
  count: number;
  readonly examples: string[];
}

/**
 * What a conversion wrote, and everything of the source that is not carried over or changed. Contains no secrets:
 * objects appear with their names and ids.
 */
export class Report {
  private readonly written = new Map<string, number>();
  private readonly notes = new Map<string, Note>();

  constructor(private readonly source: string) {}

  wrote(member: string): void {
    this.written.set(member, this.count(member) + 1);
  }

  /** How many entries of that member were written. */
  count(member: string): number {
    return this.written.get(member) ?? 0;
  }

  /** Notes something that is not carried over or is changed; `kind` says what becomes of it. */
  note(kind: string, example: string, maxExamples = MAX_EXAMPLES): void {
    this.add(kind, false, example, maxExamples);
  }

  /**
   * Like `note`, for losses after which a user or application cannot sign in as before, has fewer rights, or is less
   * protected.
   */
  lose(kind: string, example: string): void {
    this.add(kind, true, example, MAX_EXAMPLES);
  }

  /** Notes every member of an object that is set but was not read; placeholders and credentials are losses. */
  rest(object: SourceObject, maxExamples = MAX_EXAMPLES): void {
    for (const { what, name, member, isPlaceholder } of object.unread()) {
      if (isPlaceholder) this.add(PLACEHOLDERS, true, `${name} ${member}`, MAX_PLACEHOLDERS);
      else if (what === 'User' && CREDENTIAL.test(member))
        this.lose(`${what}: ${member}: not read, although it looks like a credential`, name);
      else this.note(`${what}: ${member}`, name, maxExamples);
    }
  }

  /** Whether anything important was lost. */
  get hasLosses(): boolean {
    return [...this.notes.values()].some(({ important }) => important);
  }

  toJson(): object {
    return { source: this.source, written: Object.fromEntries(this.written), notCarried: this.sorted() };
  }

  /** The report as text. */
  toText(): string {
    const written = [...this.written].map(([member, count]) => `${count} ${member}`).join(', ') || 'nothing';
    const notes = this.sorted();
    const losses = notes.filter(({ important }) => important).map(lineOf);
    const others = notes.filter(({ important }) => !important).map(lineOf);
    return [
      `Written: ${written}.`,
      ...(losses.length === 0 ? [] : ['Important: these users or applications cannot continue as before:', ...losses]),
      ...(others.length === 0 ? [] : ['Not carried over, or changed:', ...others]),
      ...(notes.length === 0 ? ['Everything was carried over.'] : []),
      '',
    ].join('\n');
  }

  private add(kind: string, important: boolean, example: string, maxExamples: number): void {
    const note = this.notes.get(kind) ?? { kind, important, count: 0, examples: [] };
    this.notes.set(kind, note);
    note.count += 1;
    if (note.examples.length < maxExamples) note.examples.push([...example].slice(0, MAX_EXAMPLE_CHARACTERS).join(''));
  }

  private sorted(): Note[] {
    return [...this.notes.values()].sort((one, other) => one.kind.localeCompare(other.kind));
  }
}

function lineOf({ count, kind, examples }: Note): string {
  const shown = examples.slice(0, SHOWN_EXAMPLES).join(', ');
  return `  ${count} × ${kind} (${shown}${count > SHOWN_EXAMPLES ? ', …' : ''})`;
}
