import { type DescField, type DescMessage, fromJson, type JsonValue, type Message, toBinary } from '@bufbuild/protobuf';
import { type DocumentHandler, DocumentReader } from '../../../migration/document/document-reader.js';
import type { Container } from '../../../migration/document/frames.js';

/** The minimum overhead of an entry, its number and length. The exact size is only computed if this estimate fits. */
const TAG_BYTES = 2;
/** JSON is at most so many times as long as what it says: of an escape, which stands for a byte. */
const LONGEST_ESCAPE = 6;

/**
 * A document as one message, built from its text entry by entry as it arrives: a document that is too large is detected
 * as soon as it exceeds the limit, and the whole text is never in memory.
 */
export class DocumentMessage implements DocumentHandler {
  private readonly reader = new DocumentReader(this, 'data');
  private readonly orgs: DescField;
  private readonly written: Message[] = [];
  /** The members of the document besides its organizations. */
  private readonly beside: Record<string, unknown> = {};
  private about: Record<string, unknown> = {};
  private lists = new Map<DescField, Message[]>();
  /** Rows of extensions, by extension and table. */
  private extensions: Record<string, Record<string, unknown[]>> = {};
  private isInOrg = false;
  private bytes = 0;
  private rowBytes = 0;
  /**
   * The error of an entry. Kept here, because the reader would report it as invalid JSON, as it does for what callers
   * send.
   */
  private failure: unknown;

  /** @param descriptor of a message with `orgs`; @param tooLarge creates the error for more than `maxBytes` */
  constructor(
    private readonly descriptor: DescMessage,
    private readonly maxBytes: number,
    private readonly tooLarge: () => Error,
  ) {
    this.orgs = fieldOf(descriptor, 'orgs');
  }

  write(text: string): void {
    try {
      this.reader.write(Buffer.from(text));
    } catch (error) {
      throw this.failure ?? error;
    }
  }

  end(): Message {
    this.reader.end();
    return Object.assign(fromJson(this.descriptor, this.beside as JsonValue), { [this.orgs.localName]: this.written });
  }

  knows(container: Container): boolean {
    return container !== 'request';
  }

  setting(): void {
    // Documents have no settings; only requests do.
  }

  orgBegins(): void {
    this.isInOrg = true;
  }

  entry(member: string, index: number | undefined, value: unknown): void {
    this.attempt(() => {
      if (!this.isInOrg) this.beside[member] = value;
      else if (index === undefined) this.about[member] = value;
      else if (member.startsWith(`${EXTENSIONS}.`)) this.addRow(member, value);
      else this.add(fieldOf(this.orgs.message!, member), value as JsonValue);
    });
  }

  orgEnds(): void {
    this.attempt(() => {
      if (Object.keys(this.extensions).length > 0) this.about[EXTENSIONS] = this.extensions;
      const org = fromJson(this.orgs.message!, this.about as JsonValue);
      this.count(toBinary(this.orgs.message!, org).length + TAG_BYTES);
      Object.assign(org, Object.fromEntries([...this.lists].map(([field, list]) => [field.localName, list])));
      this.written.push(org);
    });
    this.about = {};
    this.extensions = {};
    this.lists = new Map();
    this.isInOrg = false;
  }

  /** Counted when the organization ends, in its exact size; until then it is only kept from growing far beyond. */
  private addRow(member: string, value: unknown): void {
    const [, extension, table] = member.split('.') as [string, string, string];
    ((this.extensions[extension] ??= {})[table] ??= []).push(value);
    this.rowBytes += Buffer.byteLength(JSON.stringify(value));
    if (this.rowBytes > this.maxBytes * LONGEST_ESCAPE) throw this.tooLarge();
  }

  private add(field: DescField, value: JsonValue): void {
    const entry = fromJson(field.message!, value);
    this.count(toBinary(field.message!, entry).length + TAG_BYTES);
    const list = this.lists.get(field) ?? [];
    this.lists.set(field, list);
    list.push(entry);
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) throw this.tooLarge();
  }
}

/** The member below which an organization has rows of extensions. */
const EXTENSIONS = 'extensions';

function fieldOf({ fields, typeName }: DescMessage, name: string): DescField {
  const field = fields.find(({ jsonName }) => jsonName === name);
  if (!field) throw new Error(`${typeName} has no field ${name}.`);
  return field;
}
