import type { Entry } from 'ldapts';

/** An entry with its attributes by their names in lower case: servers spell them as they like (RFC 4512 §2.5). */
export interface Found {
  readonly dn: string;
  readonly attributes: ReadonlyMap<string, ReadonlyArray<string | Buffer>>;
}

export function toFound({ dn, ...attributes }: Entry): Found {
  const named = Object.entries(attributes).map(
    ([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value : [value]] as const,
  );
  return { dn, attributes: new Map(named) };
}

/** All values that are text and not empty. */
export function textsOf({ attributes }: Found, name: string): readonly string[] {
  const values = attributes.get(name.toLowerCase()) ?? [];
  return values.map((value) => value.toString().trim()).filter((value) => value !== '');
}
