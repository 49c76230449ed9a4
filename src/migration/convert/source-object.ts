import { contentOf, isObject, isSet, type Json, textIn } from './json.js';
import { hasPlaceholder } from './placeholder.js';

/** How the report refers to an object: its kind and its name. */
export interface SourceLabel {
  readonly what: string;
  readonly name: string;
}

/** A member that is set but was not read. */
export interface Unread extends SourceLabel {
  /** The path from the labelled object: `config.pkceEnabled`. */
  readonly member: string;
  /** Whether the member would have been read, but is a placeholder. */
  readonly isPlaceholder: boolean;
}

/** How the objects of a list are labelled. */
export interface ObjectLabel {
  readonly what: string;
  /** The member that contains the name. */
  readonly nameIn: string;
  /** Prefix of the name. */
  readonly within?: string;
}

/**
 * An object of a source file that records which members were read. Unread ones count as not carried over, so the report
 * is complete without a list of what the conversion supports. A member whose value has an unexpected type stays unread.
 * So does one that is a placeholder: it is as if it were absent, and a switch is off.
 */
export class SourceObject {
  private readonly read = new Set<string>();
  private readonly placeholders = new Set<string>();
  private readonly inner = new Map<string, readonly SourceObject[]>();
  private isSkipped = false;

  constructor(
    private readonly value: Json,
    readonly label: SourceLabel,
    private readonly prefix = '',
  ) {}

  /** Empty if it is absent or not a string. */
  text(name: string): string {
    const value = this.value[name];
    return typeof value === 'string' && !this.isPlaceholder(name) ? this.taken(name, value) : '';
  }

  /** A text that is only shown. Keycloak's own are keys of its translations, which look like placeholders. */
  caption(name: string): string {
    const value = this.value[name];
    return typeof value === 'string' ? this.taken(name, hasPlaceholder(value) ? '' : value) : '';
  }

  /** Whether the text at `name` is a placeholder; if so, the report says it. */
  isPlaceholder(name: string): boolean {
    const value = this.value[name];
    const isOne = typeof value === 'string' && hasPlaceholder(value);
    if (isOne) this.placeholders.add(name);
    return isOne;
  }

  /** Accepts a number written as a string. */
  number(name: string): number | undefined {
    if (this.isPlaceholder(name)) return undefined;
    const value = this.value[name];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? this.taken(name, number) : undefined;
  }

  flag(name: string, otherwise = false): boolean {
    if (this.isPlaceholder(name)) return false;
    const value = this.value[name];
    if (typeof value === 'boolean') return this.taken(name, value);
    return value === 'true' || value === 'false' ? this.taken(name, value === 'true') : otherwise;
  }

  /** The strings of a list. */
  texts(name: string): string[] {
    const value = this.value[name];
    if (!Array.isArray(value)) return [];
    const texts = value.filter((entry) => typeof entry === 'string');
    const found = texts.filter((text) => !hasPlaceholder(text));
    if (found.length < texts.length) this.placeholders.add(name);
    return found.length === value.length ? this.taken(name, found) : found;
  }

  /** Any value, unchecked. */
  any(name: string): unknown {
    return this.taken(name, this.value[name]);
  }

  /** Every member with its value; all of them count as read. */
  entries(): ReadonlyArray<readonly [string, unknown]> {
    return Object.entries(this.value).map(([name]) => [name, this.any(name)]);
  }

  keys(): readonly string[] {
    const names = Object.keys(this.value);
    for (const name of names) if (hasPlaceholder(name)) this.placeholders.add(name);
    return names.filter((name) => !this.placeholders.has(name));
  }

  has(name: string): boolean {
    return this.value[name] !== undefined;
  }

  /**
   * The object at `name`, or an empty one. Its members are reported as members of this object unless `what` is given.
   */
  object(name: string, what?: string): SourceObject {
    return this.child(name, this.value[name], what);
  }

  /** Like `object`, but accepts a string of JSON as well. */
  embedded(name: string, what?: string): SourceObject {
    const value = this.value[name];
    if (this.isPlaceholder(name)) return this.child(name, undefined, what);
    return this.child(name, typeof value === 'string' ? parse(value) : value, what);
  }

  /** The objects of a list. With `as`, each is reported by its own name, not as part of this object. */
  objects(name: string, as?: ObjectLabel): readonly SourceObject[] {
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

  /** Text by which objects that say the same are found, whatever these members are. */
  content(ignored: readonly string[]): string {
    return contentOf(this.value, ignored);
  }

  /** Ignores members that mean nothing outside the service that wrote them: identifiers, times, caches. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.read.add(name);
  }

  /** The object as a whole is reported elsewhere. */
  skip(): void {
    this.isSkipped = true;
  }

  /** Whether `skip` was called, with the reason in the report. */
  get isReported(): boolean {
    return this.isSkipped;
  }

  /** Every member that is set but was not read, here and in the objects below that were read. */
  *unread(): Generator<Unread> {
    if (this.isSkipped) return;
    for (const [member, value] of Object.entries(this.value)) {
      const below = this.inner.get(member);
      const isPlaceholder = this.placeholders.has(member);
      if (below && !isPlaceholder) for (const each of below) yield* each.unread();
      else if (isPlaceholder || (!this.read.has(member) && isSet(value)))
        yield { ...this.label, member: `${this.prefix}${member}`, isPlaceholder };
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
