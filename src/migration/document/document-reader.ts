import { Tokenizer, TokenType } from '@streamparser/json';
import { problemOfBeginning } from '../../foundation/config/file-encoding.js';
import { toSnakeCase } from '../../foundation/database/snake-case.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { type Container, DATA, type Frame, frameWithin, isContainer, type Level } from './frames.js';
import { LineCount, type Place } from './line-count.js';
import { BROKEN_REASON, documentBroken, documentCut, documentTooLarge, memberTwice } from './migration.errors.js';

type Token = Parameters<Tokenizer['onToken']>[0];

/** The contents of a document, in the order in which they are read. */
export interface DocumentHandler {
  /** Called once for each name in a container; the values of unknown members are skipped. */
  knows(container: Container, name: string): boolean;
  /** A member of the request beside the document. */
  setting(name: string, value: unknown): void;
  orgBegins(index: number): void;
  /** A whole member of the organization, or one entry of a list; `bytes` is its approximate length in the document. */
  entry(member: string, index: number | undefined, value: unknown, bytes: number): void;
  orgEnds(index: number): void;
}

const MAX_DEPTH = 24;
/** An entry holds a metadata value of 500,000 bytes in base64, or the texts of all screens. */
const MAX_ENTRY_BYTES = 4_194_304;
/** The document as a JSON string is one value; beyond this it must be embedded as an object. */
const MAX_TEXT_DOCUMENT_BYTES = 67_108_864;
/** Settings of a request are short. */
const MAX_SETTING_BYTES = 65_536;
/** Limit for a request, a document or an organization: none has a hundred known members. */
const MAX_MEMBERS = 1_000;
/** How much of a document that was sent as a string is read at a time. */
const SLICE_BYTES = 65_536;
/** The tokenizer assembles longer strings from parts of this size. */
const STRING_BUFFER_BYTES = 65_536;

const CLOSING_BRACE = 0x7d;

/** Stands for a document that could not be read. */
const BROKEN = false;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BEGINNING_BYTES = 8;
const NOT_UTF8 =
  ', and seems to be in Windows-1252 or Latin-1: convert it first (iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW)';
const MERGED = ': there are the marks of a merge that was not finished';

/** A document that was sent as a string of JSON, and how much of it has been read. */
interface TextDocument {
  readonly name: string;
  readonly bytes: Buffer;
  readonly reader: DocumentReader;
  at: number;
}

/**
 * Reads a document, or a request that embeds one, as a stream: only the current entry is kept. Checks the grammar of
 * JSON, since the tokenizer only knows tokens, and limits the depth and size of what is kept.
 */
export class DocumentReader {
  private readonly tokenizer = new Tokenizer({ stringBufferSize: STRING_BUFFER_BYTES });
  private readonly levels: Level[] = [];
  private readonly frames: Frame[] = [];
  private isDone = false;
  private orgIndex = 0;
  private entryStart = 0;
  private position = 0;
  /** Offset of the current token. */
  private offset = 0;
  /**
   * Where the document begins within the request: right after the colon. Positions of faults are relative to it, so
   * that they match the file.
   */
  private documentStart: number | undefined;
  private documentPlace: Place | undefined;
  private readonly lines = new LineCount();
  /** The first bytes of all, which may tell another encoding. */
  private beginning = Buffer.alloc(0);
  /** Whether the last byte so far is a closing brace. */
  private endsInBrace = false;
  private brokenPosition: number | undefined;
  /** How often a document was given, to refuse a second one. */
  private documents = 0;
  /** Documents that were sent as strings, by member name. */
  private readonly textDocuments = new Map<string, string>();
  private text: TextDocument | undefined;
  private wrong: Error | undefined;

  constructor(
    private readonly handler: DocumentHandler,
    private readonly root: 'request' | 'data',
  ) {
    this.tokenizer.onToken = (token) => this.take(token);
    this.tokenizer.onError = (error) => {
      const position = positionIn(error);
      // Any other error is a refusal by the handler or a defect of ours, not a syntax error.
      this.wrong ??= position === undefined ? error : this.broken(position);
    };
    this.tokenizer.onEnd = () => undefined;
  }

  /** How many documents the request contained. */
  get count(): number {
    return this.documents;
  }

  /** @throws DomainError InvalidArgument `import.document_broken`, `import.document_too_large` */
  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.position < BEGINNING_BYTES) chunk = this.begun(chunk);
    this.lines.next(chunk);
    if (!this.wrong) this.tokenizer.write(chunk);
    this.endsInBrace = chunk.at(-1) === CLOSING_BRACE;
    if (this.wrong && !this.mayBeCut(this.position + chunk.length - 1)) throw this.wrong;
    if (this.position - this.entryStart > this.limitHere()) throw documentTooLarge();
    this.position += chunk.length;
  }

  /**
   * Whether the offending byte is the last one and a brace: it may have been meant to close the request around a
   * truncated document.
   */
  private mayBeCut(last: number): boolean {
    return (
      this.endsInBrace && this.brokenPosition === last && this.within.what === 'document' && this.root === 'request'
    );
  }

  /** RFC 8259 §8.1: a byte order mark may be ignored. Blanks in its place leave all positions as they are. */
  private begun(chunk: Uint8Array): Uint8Array {
    this.beginning = Buffer.concat([this.beginning, chunk.subarray(0, BEGINNING_BYTES - this.position)]);
    const marked = BYTE_ORDER_MARK.subarray(this.position, this.position + chunk.length);
    if (marked.length === 0 || !marked.every((byte, at) => chunk[at] === byte)) return chunk;
    return Buffer.concat([Buffer.alloc(marked.length, ' '), chunk.subarray(marked.length)]);
  }

  /** Refuses the document at the next byte, or at an earlier one, which is not UTF-8. `rest`: what was not written. */
  brokenAt(offset: number, rest: Uint8Array): DomainError {
    if (this.position < BEGINNING_BYTES) this.begun(rest);
    const position = this.position + offset;
    const encoding = position === this.within.start ? problemOfBeginning(rest) : undefined;
    return encoding === undefined ? this.broken(position, NOT_UTF8) : documentBroken(encoding, this.within.what);
  }

  /**
   * Reads part of a document that was sent as a string of JSON, if there is one. Call it after each `write` until it
   * returns false: such a string may be long, and other requests must be served meanwhile.
   */
  readOn(): boolean {
    if (!this.text) {
      const [[name, text] = []] = this.textDocuments;
      if (name === undefined) return false;
      this.textDocuments.delete(name);
      this.text = { name, bytes: Buffer.from(text!), at: 0, reader: new DocumentReader(this.handler, 'data') };
    }
    const { name, bytes, at, reader } = this.text;
    try {
      reader.write(bytes.subarray(at, at + SLICE_BYTES));
      this.text.at += SLICE_BYTES;
      if (this.text.at < bytes.length) return true;
      reader.end();
    } catch (error) {
      if (!isOurs(error) || error.reason !== BROKEN_REASON) throw error;
      this.handler.setting(name, BROKEN); // Reported beside whatever else is wrong with the request.
    }
    this.text = undefined;
    return true;
  }

  private limitHere(): number {
    if (this.frames.length > 1 || this.frames[0] !== 'request') return MAX_ENTRY_BYTES;
    return DATA.has(this.levels[0]?.key ?? '') ? MAX_TEXT_DOCUMENT_BYTES : MAX_SETTING_BYTES;
  }

  /** @throws DomainError InvalidArgument `import.document_broken` if it ends too early */
  end(): void {
    if (this.isDone) return;
    const { what, start } = this.within;
    // The request should have ended after the document; its closing brace was read as part of the document.
    const ownBrace = what === 'document' && this.root === 'request' && this.endsInBrace ? 1 : 0;
    throw documentCut(what, this.position - start - ownBrace);
  }

  /** The text to which positions refer: the document from its beginning to its end, otherwise the request. */
  private get within(): { readonly what: 'document' | 'request'; readonly start: number } {
    if (this.root === 'data') return { what: 'document', start: 0 };
    return this.documentStart === undefined
      ? { what: 'request', start: 0 }
      : { what: 'document', start: this.documentStart };
  }

  private broken(position: number, hint = ''): DomainError {
    this.brokenPosition ??= position;
    const { what, start } = this.within;
    const encoding = position < BEGINNING_BYTES ? problemOfBeginning(this.beginning) : undefined;
    if (encoding !== undefined) return documentBroken(encoding, what);
    const { line, column, isMergeMark } = this.lines.placeOf(position);
    const { line: first, column: firstColumn } = this.documentPlace ?? { line: 1, column: 1 };
    const inLine =
      line === first && firstColumn !== undefined && column !== undefined ? column - firstColumn + 1 : column;
    const place = `line ${line - first + 1}${inLine === undefined ? '' : `, column ${inLine}`} (byte ${position - start})`;
    const kind = hint === '' ? 'is not valid JSON' : 'is not UTF-8';
    return documentBroken(`${kind} at ${place}${isMergeMark ? MERGED : hint}`, what);
  }

  private take({ token, value, offset }: Token): void {
    this.offset = offset;
    if (this.isDone) throw this.broken(offset);
    const level = this.levels.at(-1);
    if (!level) return this.begin(token, offset);
    switch (token) {
      case TokenType.COLON:
        if (this.frames.length === 1 && this.frames[0] === 'request') {
          this.documentStart = DATA.has(level.key) ? offset + 1 : undefined;
          this.documentPlace = DATA.has(level.key) ? this.lines.placeOf(offset + 1) : undefined;
        }
        return this.step(level, level.expects === 'colon', 'value', offset);
      case TokenType.COMMA:
        return this.step(level, level.expects === 'commaOrEnd', level.isList ? 'value' : 'key', offset);
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        return this.close(level, token === TokenType.RIGHT_BRACKET, offset);
      default:
    }
    if (level.expects === 'key' || level.expects === 'keyOrEnd') {
      this.step(level, token === TokenType.STRING, 'colon', offset);
      level.key = value as string;
      if (level.held === undefined) this.entryStart = offset;
      this.nameOnce(level);
      return this.askFor(level);
    }
    if (level.expects !== 'value' && level.expects !== 'valueOrEnd') throw this.broken(offset);
    if (level.isList) level.index += 1;
    level.expects = 'commaOrEnd';
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET)
      this.open(level, token === TokenType.LEFT_BRACKET, offset);
    else this.give(level, value);
  }

  /** RFC 8259 §4: readers disagree on which of two equal names counts, and so would see different documents. */
  private nameOnce({ held, names, key }: Level): void {
    if (this.frame === 'skipped') return;
    if (held !== undefined) {
      if (Object.hasOwn(held, key)) throw memberTwice(key);
      return;
    }
    const name = toSnakeCase(key);
    if (names.has(name)) throw memberTwice(key);
    if (names.size >= MAX_MEMBERS) throw documentTooLarge();
    names.add(name);
  }

  private askFor(level: Level): void {
    const { frame } = this;
    if (level.held !== undefined || !isContainer(frame)) return;
    level.isKnown = (frame === 'request' && DATA.has(level.key)) || this.handler.knows(frame, level.key);
  }

  private get frame(): Frame | undefined {
    return this.frames.at(-1);
  }

  private step(level: Level, fits: boolean, next: Level['expects'], offset: number): void {
    if (!fits) throw this.broken(offset);
    level.expects = next;
  }

  private begin(token: TokenType, offset: number): void {
    if (token !== TokenType.LEFT_BRACE) throw this.broken(offset);
    this.frames.push(this.root);
    if (this.root === 'data') this.documents += 1;
    this.push(false, undefined);
  }

  private open(parent: Level, isList: boolean, offset: number): void {
    if (this.levels.length >= MAX_DEPTH) throw documentTooLarge();
    const frame = parent.held === undefined ? frameWithin(this.frame, parent, isList) : undefined;
    if (frame === undefined) {
      if (parent.held === undefined) this.entryStart = offset;
      // Without a prototype, so that `__proto__` is an ordinary member.
      return this.push(isList, isList ? [] : (Object.create(null) as Record<string, unknown>));
    }
    this.frames.push(frame);
    if (frame === 'data') this.documents += 1;
    if (frame === 'org') this.handler.orgBegins(this.orgIndex);
    this.push(isList, undefined);
  }

  private push(isList: boolean, held: Level['held']): void {
    this.levels.push({
      isList,
      held,
      names: new Set(),
      isKnown: true,
      key: '',
      index: -1,
      expects: isList ? 'valueOrEnd' : 'keyOrEnd',
    });
  }

  private close(level: Level, isList: boolean, offset: number): void {
    const mayEnd = level.expects === 'commaOrEnd' || level.expects === (isList ? 'valueOrEnd' : 'keyOrEnd');
    if (level.isList !== isList || !mayEnd) throw this.broken(offset);
    this.levels.pop();
    const parent = this.levels.at(-1);
    if (level.held !== undefined) return this.give(parent!, level.held);
    this.entryStart = offset;
    if (this.frames.pop() === 'org') {
      this.handler.orgEnds(this.orgIndex);
      this.orgIndex += 1;
    }
    this.isDone = this.levels.length === 0;
  }

  private give(to: Level, value: unknown): void {
    if (Array.isArray(to.held)) return void to.held.push(value);
    if (to.held) {
      to.held[to.key] = value;
      return;
    }
    this.handOn(to, value);
    this.entryStart = this.offset;
  }

  /** The names from a level on: `humanUsers`, or `extensions.hr.badge`. */
  private pathFrom(level: number, end?: number): string {
    return this.levels
      .slice(level, end)
      .map(({ key }) => key)
      .join('.');
  }

  private get length(): number {
    return this.offset - this.entryStart;
  }

  private handOn(level: Level, value: unknown): void {
    if (!level.isKnown) return;
    switch (this.frame) {
      case 'request':
        if (!DATA.has(level.key)) return this.handler.setting(level.key, value);
        if (value === null) return;
        this.documents += 1;
        if (typeof value !== 'string') return this.handler.setting(level.key, value);
        this.textDocuments.set(level.key, value);
        return;
      case 'data':
        return this.handler.entry(level.key, undefined, value, this.length);
      case 'orgs':
        return this.handler.entry('orgs', level.index, value, this.length);
      case 'org':
        return this.handler.entry(level.key, undefined, value, this.length);
      case 'extensions':
      case 'extension':
        return this.handler.entry(this.pathFrom(this.frames.lastIndexOf('org')), undefined, value, this.length);
      case 'list':
        return this.handler.entry(this.pathFrom(this.frames.lastIndexOf('org'), -1), level.index, value, this.length);
      case 'skipped':
      case undefined:
    }
  }
}

/** The tokenizer gives the position only in its message. */
function positionIn(error: Error): number | undefined {
  const [, position] = /absolute position "(\d+)"/.exec(error.message) ?? [];
  return position === undefined ? undefined : Number(position);
}

function isOurs(error: unknown): error is DomainError {
  return error instanceof DomainError;
}
