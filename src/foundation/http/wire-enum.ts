/** An enumeration of the wire: each value has a name and a number there, and a word of ours inside. */
export interface WireEnum<Value extends string = string> {
  /** The name in the .proto. */
  readonly name: string;
  /** The message in the .proto that holds it, where another enumeration has a value of the same name. */
  readonly within?: string;
  /** The members in the order of their numbers; an absent field means the first one. */
  readonly members: ReadonlyArray<WireEnumMember<Value>>;
  /** Whether the first value, "unspecified", may be sent where a choice is required. */
  readonly zero: Value;
}

export interface WireEnumMember<Value extends string> {
  readonly name: string;
  /** The name for clients of another vendor: always accepted, and written if `URN_WORD` is their word. */
  readonly otherName?: string;
  readonly number: number;
  readonly value: Value;
}

/** The internal values of an enumeration. */
export type ValueOf<Enum> = Enum extends WireEnum<infer Value> ? Value : never;

const otherNamesOfAll = new Map<string, string>();

/** The names that differ for clients of another vendor, with their names. */
export function namesOfOthers(): ReadonlyMap<string, string> {
  return otherNamesOfAll;
}

/** The name that this installation writes, which may serve clients of another vendor. */
export function writtenName(
  { name, otherName }: Pick<WireEnumMember<string>, 'name' | 'otherName'>,
  forOthers: boolean,
): string {
  return forOthers ? (otherName ?? name) : name;
}

/**
 * Declares an enumeration: `{ NAME_ON_THE_WIRE: [number, 'our word'] }`; `otherNames` as `{ NAME_ON_THE_WIRE:
 * 'OTHER_NAME' }`. `within`: see `WireEnum`.
 */
export function wireEnum<const Table extends Readonly<Record<string, readonly [number, string]>>>(
  name: string,
  table: Table,
  otherNames: Readonly<Record<string, string>> = {},
  within?: string,
): WireEnum<Table[keyof Table][1]> {
  for (const [own, other] of Object.entries(otherNames)) otherNamesOfAll.set(own, other);
  const members = Object.entries(table)
    .map(([wireName, [number, value]]) => ({
      name: wireName,
      number,
      value,
      ...(otherNames[wireName] === undefined ? {} : { otherName: otherNames[wireName] }),
    }))
    .sort((one, other) => one.number - other.number);
  const [first] = members;
  if (!first) throw new Error(`The enumeration ${name} has no values.`);
  return { name, members, zero: first.value, ...(within === undefined ? {} : { within }) };
}
