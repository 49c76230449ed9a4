import { isObject, isSet, type Json, textIn } from './json.js';

/** What an object is called in the report: its kind, and which one. */
export interface Label {
  readonly what: string;
  readonly name: string;
}

/** A member that was set and that nothing here has read. */
export interface Unread extends Label {
  /** The way to it from the labelled object: `config.pkceEnabled`. */
  readonly member: string;
}

/** How the objects of a list are called. */
export interface OwnLabel {
  readonly what: string;
  /** The member that names one. */
  readonly nameIn: string;
  /** What stands before that name. */
  readonly within?: string;
}

/**
 * An object of a source file that records what of it was read. What is left counts as not carried over, so the report is complete
 * without a list of what the conversion knows. A member whose value is of another type than was asked for stays unread.
 */
export class SourceObject {
  private readonly read = new Set<string>();
  private readonly inner = new Map<string, readonly SourceObject[]>();
  private isSkipped = false;

  constructor(
    private readonly value: Json,
    readonly label: Label,
    private readonly prefix = '',
  ) {}

  /** Empty when it is absent or not a string. */
  text(name: string): string {
    const value = this.value[name];
    return typeof value === 'string' ? this.taken(name, value) : '';
  }

  /** Also one that was written as a string. */
  number(name: string): number | undefined {
    const value = this.value[name];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? this.taken(name, number) : undefined;
  }

  flag(name: string, otherwise = false): boolean {
    const value = this.value[name];
    if (typeof value === 'boolean') return this.taken(name, value);
    return value === 'true' || value === 'false' ? this.taken(name, value === 'true') : otherwise;
  }

  /** The strings of a list. */
  texts(name: string): string[] {
    const value = this.value[name];
    if (!Array.isArray(value)) return [];
    const found = value.filter((entry) => typeof entry === 'string');
    return found.length === value.length ? this.taken(name, found) : found;
  }

  /** The value as it is. */
  any(name: string): unknown {
    return this.taken(name, this.value[name]);
  }

  /** Every member with its value: all of them count as read. */
  entries(): ReadonlyArray<readonly [string, unknown]> {
    return Object.entries(this.value).map(([name]) => [name, this.any(name)]);
  }

  keys(): readonly string[] {
    return Object.keys(this.value);
  }

  has(name: string): boolean {
    return this.value[name] !== undefined;
  }

  /** The object that stands there, or an empty one; unless `what` is given, its members are told as members of this one. */
  object(name: string, what?: string): SourceObject {
    return this.child(name, this.value[name], what);
  }

  /** The same for an object that may also stand there as a string of JSON. */
  embedded(name: string, what?: string): SourceObject {
    const value = this.value[name];
    return this.child(name, typeof value === 'string' ? parse(value) : value, what);
  }

  /** The objects of a list; with `as`, each is told by itself and not as a part of this one. */
  objects(name: string, as?: OwnLabel): readonly SourceObject[] {
    const known = this.inner.get(name);
    if (known) return known;
    const value = this.value[name];
    const list: unknown[] = Array.isArray(value) ? value : [];
    const found = list.filter(isObject).map((entry) => {
      if (as === undefined) return new SourceObject(entry, this.label, `${this.prefix}${name}.`);
      return new SourceObject(entry, { what: as.what, name: `${as.within ?? ''}${textIn(entry, as.nameIn)}` });
    });
    if (found.length === list.length) this.inner.set(name, found);
    return found;
  }

  /** Members that mean nothing outside of the service that wrote them: identifiers, times, caches. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.read.add(name);
  }

  /** The object as a whole is told in another way. */
  skip(): void {
    this.isSkipped = true;
  }

  /** Every member that was set and not read, here and in the objects below that were read. */
  *unread(): Generator<Unread> {
    if (this.isSkipped) return;
    for (const [member, value] of Object.entries(this.value)) {
      const below = this.inner.get(member);
      if (below) for (const each of below) yield* each.unread();
      else if (!this.read.has(member) && isSet(value)) yield { ...this.label, member: `${this.prefix}${member}` };
    }
  }

  private child(name: string, value: unknown, what: string | undefined): SourceObject {
    const known = this.inner.get(name)?.[0];
    if (known) return known;
    const label = what === undefined ? this.label : { what, name: this.label.name };
    const child = new SourceObject(
      isObject(value) ? value : {},
      label,
      what === undefined ? `${this.prefix}${name}.` : '',
    );
    if (isObject(value)) this.inner.set(name, [child]);
    return child;
  }

  private taken<Value>(name: string, value: Value): Value {
    this.read.add(name);
    return value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
