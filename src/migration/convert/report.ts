import { isSaid, type Json } from './json.js';

/** So many objects of a kind are named. */
const MAX_EXAMPLES = 10;
const MAX_EXAMPLE_CHARACTERS = 200;

interface Note {
  count: number;
  readonly examples: string[];
}

/** What a conversion wrote, and everything of the source that has no counterpart here. Never a secret: objects are named by their names and ids. */
export class Report {
  private readonly written = new Map<string, number>();
  private readonly notes = new Map<string, Note>();

  constructor(private readonly source: string) {}

  wrote(member: string): void {
    this.written.set(member, (this.written.get(member) ?? 0) + 1);
  }

  /** Something that is not carried over, or not as it was; `kind` says what becomes of it. */
  note(kind: string, example: string, maxExamples = MAX_EXAMPLES): void {
    const note = this.notes.get(kind) ?? { count: 0, examples: [] };
    this.notes.set(kind, note);
    note.count += 1;
    if (note.examples.length < maxExamples) note.examples.push([...example].slice(0, MAX_EXAMPLE_CHARACTERS).join(''));
  }

  /** Every member of an object that somebody has set and nobody here reads. */
  rest(what: string, name: string, object: Json, read: ReadonlySet<string>): void {
    for (const [member, value] of Object.entries(object)) {
      if (!read.has(member) && isSaid(value)) this.note(`${what}: ${member}`, name);
    }
  }

  toJson(): object {
    const notCarried = [...this.notes].sort(([one], [other]) => one.localeCompare(other)).map(([kind, note]) => ({ kind, ...note }));
    return { source: this.source, written: Object.fromEntries(this.written), notCarried };
  }

  /** For people. */
  toText(): string {
    const written = [...this.written].map(([member, count]) => `${count} ${member}`).join(', ') || 'nothing';
    const lines = [...this.notes].sort(([one], [other]) => one.localeCompare(other)).map(([kind, { count, examples }]) => `  ${count} × ${kind} (${examples.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`);
    return [`Written: ${written}.`, ...(lines.length === 0 ? ['Everything has its counterpart.'] : ['Not carried over, or not as it was:', ...lines]), ''].join('\n');
  }
}
