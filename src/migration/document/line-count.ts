const LINE_FEED = 0x0a;
/** How much is kept of the line that is being read: a document may be a single line. */
const MOST_HELD = 65_536;
const MARK = /^(?:<{1,7}|={1,7}|>{1,7}|\|{1,7})(?:\s|$)/;
const LONGEST_MARK = 7;

/** A place in a text, as editors show it; no column if the line is too long to be kept. */
export interface Place {
  readonly line: number;
  readonly column: number | undefined;
  /** Whether that line is one of those that Git writes around what it could not merge. */
  readonly isMergeMark: boolean;
}

/** Counts the lines of a text in UTF-8 that arrives in pieces. */
export class LineCount {
  private line = 1;
  private position = 0;
  /** The line that goes on in the current piece, from its start; undefined if it is too long. */
  private held: Uint8Array | undefined = new Uint8Array(0);
  private piece: Uint8Array = new Uint8Array(0);

  /** The piece that is read now; the one before is counted. */
  next(piece: Uint8Array): void {
    const last = this.piece.lastIndexOf(LINE_FEED);
    this.line += feedsIn(this.piece);
    this.position += this.piece.length;
    this.held = last < 0 ? this.joined(this.piece) : Uint8Array.from(this.piece.subarray(last + 1));
    this.piece = piece;
  }

  /** The place of a byte of the current piece, or of one before in its first line. */
  placeOf(offset: number): Place {
    const before = this.piece.subarray(0, Math.max(0, offset - this.position));
    const last = before.lastIndexOf(LINE_FEED);
    const line = this.line + feedsIn(before);
    const start = last < 0 ? this.held : new Uint8Array(0);
    if (!start) return { line, column: undefined, isMergeMark: false };
    const rest = this.piece.subarray(last + 1);
    const whole = Buffer.concat([start, rest]);
    const lineStart = last < 0 ? this.position - start.length : this.position + last + 1;
    const until = whole.subarray(0, Math.max(0, offset - lineStart)).toString();
    const isMergeMark = MARK.test(whole.subarray(0, LONGEST_MARK + 1).toString());
    return { line, column: [...until].length + 1, isMergeMark };
  }

  private joined(piece: Uint8Array): Uint8Array | undefined {
    if (!this.held || this.held.length + piece.length > MOST_HELD) return undefined;
    return Buffer.concat([this.held, piece]);
  }
}

function feedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
