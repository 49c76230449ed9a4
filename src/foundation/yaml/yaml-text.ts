import { EVENT_ID, type Event, getScalarValue, loadAll, parseEvents, YAMLException } from 'js-yaml';

/** What is wrong with a text that should be YAML, and in which line. */
export class YamlMistake extends Error {
  constructor(
    message: string,
    /** From 1; undefined where it concerns all of the text. */
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

/** A text in YAML, or in JSON, which is YAML: its content, and where each of its members stands. */
export class YamlText {
  private readonly lines = new Map<string, number>();

  private constructor(readonly content: unknown) {}

  /** @throws YamlMistake */
  static read(text: string): YamlText {
    try {
      const [content, ...more] = loadAll(text);
      if (more.length > 0) throw new YamlMistake(`must be one document, not ${more.length + 1}`, undefined);
      const read = new YamlText(content);
      read.locate(text);
      return read;
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      throw new YamlMistake(error.reason, error.mark === undefined ? undefined : error.mark.line + 1);
    }
  }

  /** The line, from 1, of the member of this path, or of the nearest one around it. */
  lineOf(path: readonly (string | number)[]): number | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const line = this.lines.get(JSON.stringify(path.slice(0, length).map(String)));
      if (line !== undefined) return line;
    }
    return undefined;
  }

  private locate(text: string): void {
    let line = 1;
    let newline = text.indexOf('\n');
    // Members come in the order of the text, so that it is gone through once.
    const lineAt = (offset: number): number => {
      for (; newline >= 0 && newline < offset; newline = text.indexOf('\n', newline + 1)) line += 1;
      return line;
    };
    new Walk(text, parseEvents(text, {}), (path, offset) => this.lines.set(JSON.stringify(path), lineAt(offset))).run();
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
      this.members(path, () => ({ name: String(index++), offset: this.offset() }));
    }
  }

  private members(path: readonly string[], next: () => Member): void {
    while (this.at < this.events.length && this.events[this.at]!.type !== EVENT_ID.POP) {
      const { name, offset } = next();
      const place = [...path, name];
      if (offset !== undefined) this.found(place, offset);
      this.node(place);
    }
    this.at += 1;
  }

  private key(): Member {
    const event = this.events[this.at];
    if (event?.type === EVENT_ID.SCALAR) {
      this.at += 1;
      return { name: getScalarValue(this.text, event), offset: event.valueStart };
    }
    this.node([]); // a key that is no text has no name here
    return { name: '', offset: undefined };
  }

  private offset(): number | undefined {
    const next = this.events[this.at];
    if (next && 'valueStart' in next) return next.valueStart;
    return next && 'start' in next ? next.start : undefined;
  }
}

interface Member {
  readonly name: string;
  readonly offset: number | undefined;
}
