/** A UTF-8 character has at most four bytes, so three may be left over from the previous piece. */
const MAX_LEFT_OVER = 3;

/** Finds bytes that are not valid UTF-8: the decoder, and hence the tokenizer, would silently replace them. */
export class Utf8Check {
  private decoder = newDecoder();
  private leftOver = new Uint8Array(0);

  /** Offset of the first invalid character in this piece; negative if it began in the previous one. */
  firstBadByte(piece: Uint8Array): number | undefined {
    try {
      this.decoder.decode(piece, { stream: true });
      this.leftOver = Uint8Array.from(Buffer.concat([this.leftOver, piece]).subarray(-MAX_LEFT_OVER));
      return undefined;
    } catch {
      return this.search(piece);
    }
  }

  /** The decoder does not say where it stopped, so this searches for the longest valid prefix. */
  private search(piece: Uint8Array): number {
    const start = incompleteAtEnd(this.leftOver);
    const text = Buffer.concat([start, piece]);
    let good = 0;
    for (let bad = text.length; bad - good > 1; ) {
      const middle = (good + bad) >> 1;
      if (isUtf8(text.subarray(0, middle))) good = middle;
      else bad = middle;
    }
    // The valid prefix may end within the bad character.
    return good - incompleteAtEnd(text.subarray(0, good)).length - start.length;
  }
}

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** Whether it is valid UTF-8, or the beginning of it. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    newDecoder().decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The trailing bytes of an incomplete character. RFC 3629 §3: its first byte gives its length. */
function incompleteAtEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(MAX_LEFT_OVER, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(bytes.length - back) : new Uint8Array(0);
  }
  return new Uint8Array(0);
}
