/** A character of UTF-8 has four bytes at most, so that three may be left over from the piece before. */
const MAX_LEFT_OVER = 3;

/** Finds bytes that are not UTF-8: a decoder, and so the tokenizer, would put other characters in their place. */
export class Utf8Check {
  private decoder = newDecoder();
  private leftOver = new Uint8Array(0);

  /** Where in this piece the first character stands that is not UTF-8; below 0, where it began in the piece before. */
  firstBadByte(piece: Uint8Array): number | undefined {
    try {
      this.decoder.decode(piece, { stream: true });
      this.leftOver = Uint8Array.from(Buffer.concat([this.leftOver, piece]).subarray(-MAX_LEFT_OVER));
      return undefined;
    } catch {
      return this.search(piece);
    }
  }

  /** The decoder does not say where it stopped; a shorter beginning of the text still passes. */
  private search(piece: Uint8Array): number {
    const start = incompleteAtEnd(this.leftOver);
    const text = Buffer.concat([start, piece]);
    let good = 0;
    for (let bad = text.length; bad - good > 1; ) {
      const middle = (good + bad) >> 1;
      if (isUtf8(text.subarray(0, middle))) good = middle;
      else bad = middle;
    }
    // What passes may end within the bad character.
    return good - incompleteAtEnd(text.subarray(0, good)).length - start.length;
  }
}

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** Whether it is, or is the beginning of, a text. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    newDecoder().decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The bytes of a character that the text breaks off in. RFC 3629 §3: its first byte says how many there are. */
function incompleteAtEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(MAX_LEFT_OVER, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(bytes.length - back) : new Uint8Array(0);
  }
  return new Uint8Array(0);
}
