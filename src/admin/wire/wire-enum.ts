/** An enumeration of the wire: each value has a name and a number there, and a word of ours inside. */
export interface WireEnum<Value extends string = string> {
  /** As the .proto names it. */
  readonly name: string;
  /** In the order of their numbers; the first is what an absent field means. */
  readonly members: ReadonlyArray<WireEnumMember<Value>>;
  /** Whether the first value, which stands for "not said", may be sent where a choice is required. */
  readonly zero: Value;
}

export interface WireEnumMember<Value extends string> {
  readonly name: string;
  readonly number: number;
  readonly value: Value;
}

/** The values of ours that an enumeration stands for. */
export type ValueOf<Enum> = Enum extends WireEnum<infer Value> ? Value : never;

/** Declares an enumeration: `{ NAME_ON_THE_WIRE: [number, 'our word'] }`. */
export function wireEnum<const Table extends Readonly<Record<string, readonly [number, string]>>>(
  name: string,
  table: Table,
): WireEnum<Table[keyof Table][1]> {
  const members = Object.entries(table)
    .map(([wireName, [number, value]]) => ({ name: wireName, number, value: value }))
    .sort((one, other) => one.number - other.number);
  const [first] = members;
  if (!first) throw new Error(`The enumeration ${name} has no values.`);
  return { name, members, zero: first.value };
}
