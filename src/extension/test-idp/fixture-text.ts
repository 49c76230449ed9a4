import { EVENT_ID, type Event, getScalarValue, loadAll, parseEvents, YAMLException } from 'js-yaml';
import type { FixtureMistake } from './fixture-mistake.js';
import { FixtureError } from './fixture-mistake.js';

/** A fixture as it is written: its content, and where in the text each member stands. */
export class FixtureText {
  private readonly lines = new Map<string, number>();

  private constructor(
    private readonly name: string,
    readonly content: unknown,
  ) {}

  /** JSON is YAML. @throws FixtureError if it is neither */
  static read(text: string, name: string): FixtureText {
    try {
      const [content, ...more] = loadAll(text, { filename: name });
      if (more.length > 0) throw new FixtureError([`${name}: must be one document, not ${more.length + 1}`]);
      const fixture = new FixtureText(name, content);
      fixture.locate(text);
      return fixture;
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const place = error.mark === undefined ? name : `${name}:${error.mark.line + 1}`;
      throw new FixtureError([`${place}: ${error.reason}`]);
    }
  }

  /** A fixture that is an object of a program. */
  static of(content: unknown): FixtureText {
    return new FixtureText('fixture', content);
  }

  /** The mistakes as sentences, each with its line, or that of the nearest member around it. */
  toError(mistakes: readonly FixtureMistake[]): FixtureError {
    return new FixtureError(
      mistakes.map(({ path, problem }) => {
        const line = this.lineOf(path);
        const place = line === undefined ? this.name : `${this.name}:${line}`;
        return `${place}: ${path.join('.')} ${problem}`;
      }),
    );
  }

  private lineOf(path: readonly (string | number)[]): number | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const line = this.lines.get(JSON.stringify(path.slice(0, length).map(String)));
      if (line !== undefined) return line;
    }
    return undefined;
  }

  private locate(text: string): void {
    const events = parseEvents(text, { filename: this.name });
    const newlines = [...text.matchAll(/\n/g)].map(({ index }) => index);
    const lineAt = (offset: number): number => {
      const after = newlines.findIndex((position) => position >= offset);
      return (after < 0 ? newlines.length : after) + 1;
    };
    new Walk(text, events, (path, offset) => this.lines.set(JSON.stringify(path), lineAt(offset))).run();
  }
}

/** Tells of each member where it begins, by the events of the parser. */
class Walk {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
    private readonly found: (path: readonly string[], offset: number) => void,
  ) {}

  run(): void {
    while (this.events[this.at]?.type === EVENT_ID.DOCUMENT) this.at += 1;
    if (this.at < this.events.length) this.node([]);
  }

  private node(path: readonly string[]): void {
    const event = this.events[this.at];
    this.at += 1;
    if (event?.type === EVENT_ID.MAPPING) this.members(path, () => this.key());
    if (event?.type === EVENT_ID.SEQUENCE) {
      let index = 0;
      this.members(path, () => {
        const next = this.events[this.at];
        const offset =
          next && 'valueStart' in next ? next.valueStart : next && 'start' in next ? next.start : undefined;
        return { name: String(index++), offset };
      });
    }
  }

  private members(
    path: readonly string[],
    next: () => { readonly name: string; readonly offset: number | undefined },
  ): void {
    while (this.at < this.events.length && this.events[this.at]!.type !== EVENT_ID.POP) {
      const { name, offset } = next();
      const place = [...path, name];
      if (offset !== undefined) this.found(place, offset);
      this.node(place);
    }
    this.at += 1;
  }

  private key(): { readonly name: string; readonly offset: number | undefined } {
    const event = this.events[this.at];
    if (event?.type === EVENT_ID.SCALAR) {
      this.at += 1;
      return { name: getScalarValue(this.text, event), offset: event.valueStart };
    }
    this.node([]); // a key that is no text has no name here
    return { name: '', offset: undefined };
  }
}
