import { type Attribute, subOf } from '../schema/attribute.js';

export type Simple = string | boolean;
/** A complex value, by the sub-attributes that are declared. */
export type Complex = ReadonlyMap<Attribute, Simple>;
export type Value = Simple | Complex | readonly Complex[];

/**
 * A resource as a directory describes it. Its keys are the declarations of attributes, never names from the wire, so
 * that nothing a request names can be written but what is declared (SCM-003). It never changes: `with` makes another.
 */
export class Document {
  static readonly EMPTY = new Document(new Map());

  private constructor(private readonly values: ReadonlyMap<Attribute, Value>) {}

  has(attribute: Attribute): boolean {
    return this.values.has(attribute);
  }

  get(attribute: Attribute): Value | undefined {
    return this.values.get(attribute);
  }

  text(attribute: Attribute): string | undefined {
    const value = this.values.get(attribute);
    return typeof value === 'string' ? value : undefined;
  }

  flag(attribute: Attribute): boolean | undefined {
    const value = this.values.get(attribute);
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Empty if there is none. */
  complex(attribute: Attribute): Complex {
    const value = this.values.get(attribute);
    return value instanceof Map ? value : new Map<Attribute, Simple>();
  }

  /** Empty if there is none. */
  list(attribute: Attribute): readonly Complex[] {
    const value = this.values.get(attribute);
    return isList(value) ? value : [];
  }

  /** Another one with the value; without the attribute if the value is undefined or empty. */
  with(attribute: Attribute, value: Value | undefined): Document {
    const values = new Map(this.values);
    if (value === undefined || isEmpty(value)) values.delete(attribute);
    else values.set(attribute, value);
    return new Document(values);
  }
}

/** Whether it is the list of a multi-valued attribute. */
export function isList(value: Value | undefined): value is readonly Complex[] {
  return Array.isArray(value);
}

/** A text of a complex value. */
export function textOf(value: Complex, attribute: Attribute, name: string): string | undefined {
  const part = value.get(subOf(attribute, name));
  return typeof part === 'string' ? part : undefined;
}

export function isPrimary(value: Complex, attribute: Attribute): boolean {
  return value.get(subOf(attribute, 'primary')) === true;
}

/** Whether two complex values have the same parts. */
export function isSame(one: Complex, other: Complex): boolean {
  return one.size === other.size && [...one].every(([part, value]) => other.get(part) === value);
}

/** RFC 7643 §2.5: an empty list is no value. */
function isEmpty(value: Value): boolean {
  return (Array.isArray(value) && value.length === 0) || (value instanceof Map && value.size === 0);
}
