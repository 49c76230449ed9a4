import type { Attribute } from '../schema/attribute.js';
import type { ResourceType } from '../schema/resource-type.js';

/** RFC 7644 §3.9: names of attributes, which may be those of sub-attributes and begin with the URN of their schema. */
export interface AskedAttributes {
  readonly attributes: readonly string[];
  readonly excludedAttributes: readonly string[];
}

/** The parts that were named of each attribute; all of them if it was named as a whole. */
type Chosen = ReadonlyMap<Attribute, ReadonlySet<Attribute> | 'all'>;

/** Which attributes an answer has. */
export class Projection {
  private constructor(
    private readonly included: Chosen | undefined,
    private readonly excluded: Chosen,
  ) {}

  static of(type: ResourceType, { attributes, excludedAttributes }: AskedAttributes): Projection {
    return new Projection(
      attributes.length === 0 ? undefined : choose(type, attributes),
      choose(type, excludedAttributes),
    );
  }

  shows(attribute: Attribute): boolean {
    if (attribute.returned === 'always') return true;
    if (attribute.returned === 'never' || this.excluded.get(attribute) === 'all') return false;
    return this.included === undefined || this.included.has(attribute);
  }

  /** Whether a part is shown of an attribute that is. */
  showsPart(attribute: Attribute, part: Attribute): boolean {
    const excluded = this.excluded.get(attribute);
    if (excluded !== undefined && excluded !== 'all' && excluded.has(part)) return false;
    const included = this.included?.get(attribute) ?? 'all';
    return included === 'all' || included.has(part);
  }
}

/** Names that are not declared choose nothing. */
function choose(type: ResourceType, names: readonly string[]): Chosen {
  const chosen = new Map<Attribute, Set<Attribute> | 'all'>();
  const all = (attribute: Attribute): unknown => chosen.set(attribute, 'all');
  for (const name of names.map((one) => one.trim())) {
    const whole = type.find(name);
    if (whole.is === 'attribute') all(whole.attribute);
    else if (whole.is === 'schema') whole.schema.attributes.forEach(all);
    else choosePart(type, name, chosen);
  }
  return chosen;
}

/** `name.givenName` */
function choosePart(type: ResourceType, name: string, chosen: Map<Attribute, Set<Attribute> | 'all'>): void {
  const dot = name.lastIndexOf('.');
  const owner = dot > 0 ? type.find(name.slice(0, dot)) : undefined;
  if (owner?.is !== 'attribute') return;
  const part = owner.attribute.subAttributes.get(name.slice(dot + 1).toLowerCase());
  const before = chosen.get(owner.attribute) ?? new Set();
  if (part && before !== 'all') chosen.set(owner.attribute, before.add(part));
}
