import { type Attribute, byName } from './attribute.js';

/** RFC 7643 §7: a URN with the attributes that it stands for. */
export class Schema {
  readonly attributes: ReadonlyMap<string, Attribute>;

  constructor(
    readonly urn: string,
    readonly name: string,
    readonly description: string,
    attributes: readonly Attribute[],
  ) {
    this.attributes = byName(attributes);
  }
}

/** What a name of the wire stands for. */
export type Named =
  | { readonly is: 'attribute'; readonly attribute: Attribute }
  /** A schema as a whole, named by its URN. */
  | { readonly is: 'schema'; readonly schema: Schema }
  /** What a standard schema has and we do not keep, or what belongs to a schema that is not ours. */
  | { readonly is: 'ignored' }
  | { readonly is: 'unknown' };

/** RFC 7643 §6: a kind of resource, with the schemas that its attributes are from. */
export class ResourceType {
  /** Those of all schemas; no two have one name. */
  readonly attributes: readonly Attribute[];
  private readonly byName = new Map<string, Attribute>();
  private readonly ignored: ReadonlySet<string>;

  constructor(
    readonly name: 'User' | 'Group',
    readonly endpoint: 'Users' | 'Groups',
    /** RFC 7643 §3.1: attributes of every resource, which no schema lists. */
    readonly common: readonly Attribute[],
    readonly schema: Schema,
    readonly extensions: readonly Schema[],
    /** Attributes of RFC 7643 that are accepted and not kept. */
    ignored: readonly string[],
  ) {
    this.attributes = [
      ...common,
      ...schema.attributes.values(),
      ...extensions.flatMap((one) => [...one.attributes.values()]),
    ];
    for (const attribute of this.attributes) this.byName.set(attribute.name.toLowerCase(), attribute);
    this.ignored = new Set(ignored.map((name) => name.toLowerCase()));
  }

  get schemas(): readonly Schema[] {
    return [this.schema, ...this.extensions];
  }

  schemaOf(urn: string): Schema | undefined {
    const wanted = urn.toLowerCase();
    return this.schemas.find((schema) => schema.urn.toLowerCase() === wanted);
  }

  /**
   * What a name stands for, with or without the URN of its schema before it. Names of an extension are found without
   * their URN too: Entra sends `manager` (RFC 7644 §3.10 asks for the URN).
   */
  find(name: string): Named {
    if (!/^urn:/i.test(name)) return this.findIn([this.byName], name);
    const whole = this.schemaOf(name);
    if (whole) return { is: 'schema', schema: whole };
    const colon = name.lastIndexOf(':');
    const schema = this.schemaOf(name.slice(0, colon));
    if (!schema) return { is: 'ignored' };
    // RFC 7643 §3.1: what is common belongs to the core schema as far as names go.
    const common = schema === this.schema ? [byName(this.common)] : [];
    return this.findIn([schema.attributes, ...common], name.slice(colon + 1));
  }

  private findIn(maps: readonly ReadonlyMap<string, Attribute>[], name: string): Named {
    const wanted = name.toLowerCase();
    for (const map of maps) {
      const attribute = map.get(wanted);
      if (attribute) return { is: 'attribute', attribute };
    }
    return { is: this.ignored.has(wanted) ? 'ignored' : 'unknown' };
  }
}
