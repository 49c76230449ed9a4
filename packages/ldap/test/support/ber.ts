/** One element (X.690 §8.1): its tag, its content, and the elements in that. */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

export function element(tag: number, ...content: ReadonlyArray<Buffer | string>): Buffer {
  const body = Buffer.concat(content.map((piece) => Buffer.from(piece as string)));
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export function integer(value: number, tag = 0x02): Buffer {
  return element(tag, Buffer.from(value < 0x80 ? [value] : [value >> 8, value & 0xff]));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const octets = Buffer.alloc(5);
  octets[0] = 0x84;
  octets.writeUInt32BE(length, 1);
  return octets;
}

/** The elements at the beginning, and how many octets they take; an unfinished one is left. */
export function readElements(buffer: Buffer): { readonly elements: readonly Element[]; readonly taken: number } {
  const elements: Element[] = [];
  let place = 0;
  while (place + 2 <= buffer.length) {
    const tag = buffer[place]!;
    let length = buffer[place + 1]!;
    let head = 2;
    if (length >= 0x80) {
      const octets = length & 0x7f;
      if (place + 2 + octets > buffer.length) break;
      length = buffer.readUIntBE(place + 2, octets);
      head += octets;
    }
    if (place + head + length > buffer.length) break;
    elements.push({ tag, content: buffer.subarray(place + head, place + head + length) });
    place += head + length;
  }
  return { elements, taken: place };
}

export function within(content: Buffer): readonly Element[] {
  return readElements(content).elements;
}
