import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** The fields of a message that hold messages, by number, each with the fields of those. */
type Shape = ReadonlyMap<number, () => Shape>;

const shapes = new WeakMap<DescMessage, Shape>();
const MAP_VALUE = 2;

/**
 * Whether a message, with those inside it, has more than so many fields on the wire. Counting stops there and builds
 * nothing; decoding a megabyte of empty entries takes half a second. What cannot be read counts as few: decoding
 * reports it.
 */
export function hasMoreFields(message: DescMessage, bytes: Uint8Array, max: number): boolean {
  const left: Array<readonly [Shape, Uint8Array]> = [[shapeOf(message), bytes]];
  let count = 0;
  try {
    for (let next = left.pop(); next; next = left.pop()) {
      const [shape, part] = next;
      const reader = new BinaryReader(part);
      while (reader.pos < reader.len) {
        if ((count += 1) > max) return true;
        const [number, type] = reader.tag();
        const inner = shape.get(number);
        if (inner && type === WireType.LengthDelimited) left.push([inner(), reader.bytes()]);
        else reader.skip(type, number);
      }
    }
  } catch {
    return false;
  }
  return false;
}

function shapeOf(message: DescMessage): Shape {
  const known = shapes.get(message);
  if (known) return known;
  const shape: Shape = new Map(
    message.fields.flatMap(({ fieldKind, number, message: inner }) => {
      if (!inner) return [];
      const value = (): Shape => shapeOf(inner);
      // On the wire, a map is a list of messages, of a key and a value.
      return [[number, fieldKind === 'map' ? (): Shape => new Map([[MAP_VALUE, value]]) : value] as const];
    }),
  );
  shapes.set(message, shape);
  return shape;
}
