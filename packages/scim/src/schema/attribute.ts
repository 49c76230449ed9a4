/** RFC 7643 §2.3, as far as our resources use them. */
export type AttributeType = 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';

/** RFC 7643 §7: who may change it. */
export type Mutability = 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';

/** RFC 7643 §7: when it is in an answer. */
export type Returned = 'always' | 'never' | 'default';

/** An attribute, or a sub-attribute, of our resources: what discovery says of it, and what requests are read by. */
export interface Attribute {
  readonly name: string;
  readonly description: string;
  readonly type: AttributeType;
  readonly isMultiValued: boolean;
  readonly isRequired: boolean;
  readonly isCaseExact: boolean;
  readonly mutability: Mutability;
  readonly returned: Returned;
  readonly uniqueness: 'none' | 'server';
  /** The most Unicode characters of a text. */
  readonly maxCharacters: number;
  /** The most values of a multi-valued attribute in a request. */
  readonly maxValues: number;
  readonly canonicalValues: readonly string[];
  readonly referenceTypes: readonly string[];
  /** Those of a complex attribute, by their names in lower case; their own types are simple (RFC 7643 §2.3.8). */
  readonly subAttributes: ReadonlyMap<string, Attribute>;
}

type Said = Partial<Omit<Attribute, 'name' | 'description' | 'type' | 'isMultiValued' | 'subAttributes'>>;

/** RFC 7643 §2.2: what is not said of an attribute. */
const DEFAULTS = {
  type: 'string',
  isMultiValued: false,
  isRequired: false,
  isCaseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  maxCharacters: 200,
  maxValues: 20,
  canonicalValues: [],
  referenceTypes: [],
  subAttributes: new Map<string, Attribute>(),
} as const satisfies Omit<Attribute, 'name' | 'description'>;

export function text(name: string, description: string, said: Said = {}): Attribute {
  return { ...DEFAULTS, name, description, ...said };
}

export function flag(name: string, description: string, said: Said = {}): Attribute {
  return { ...DEFAULTS, name, description, type: 'boolean', ...said };
}

export function moment(name: string, description: string, said: Said = {}): Attribute {
  return { ...DEFAULTS, name, description, type: 'dateTime', ...said };
}

export function reference(name: string, description: string, said: Said = {}): Attribute {
  return { ...DEFAULTS, name, description, type: 'reference', isCaseExact: true, ...said };
}

export function complex(name: string, description: string, parts: readonly Attribute[], said: Said = {}): Attribute {
  return { ...DEFAULTS, name, description, type: 'complex', subAttributes: byName(parts), ...said };
}

/** A list of complex values. */
export function list(name: string, description: string, parts: readonly Attribute[], said: Said = {}): Attribute {
  return { ...complex(name, description, parts, said), isMultiValued: true };
}

/** RFC 7643 §2.1: names are compared regardless of case. */
export function byName(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
}

/** A sub-attribute that the code names. @throws Error if the declaration lacks it */
export function subOf(attribute: Attribute, name: string): Attribute {
  const sub = attribute.subAttributes.get(name.toLowerCase());
  if (!sub) throw new Error(`The attribute ${attribute.name} has no sub-attribute ${name}.`);
  return sub;
}
