import { JSONParser } from '@streamparser/json';

const MERGE_MARK = /^(?:<{7}|={7}|>{7}|\|{7})/;

/**
 * Where a text stops being JSON, in words. The parser does not say, so what precedes the wrong piece is read once more,
 * and the piece character by character.
 * @param firstLine the number of the line with which the text begins
 * @param wrongPiece the index of the piece in which the parser has failed; the number of pieces if the end is missing
 */
export async function mistakeIn(
  pieces: AsyncIterable<string> | Iterable<string>,
  wrongPiece: number,
  firstLine = 1,
): Promise<string> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ parent }) => {
    if (Array.isArray(parent)) parent.length = 0;
  };
  let [index, line, start] = [0, firstLine, ''];
  for await (const piece of pieces) {
    if (index < wrongPiece) {
      parser.write(piece);
      const lines = piece.split('\n');
      line += lines.length - 1;
      start = lines.length > 1 ? lines.at(-1)! : start + lines[0]!;
    } else {
      const at = lengthUntilMistake(parser, piece);
      const lines = (start + piece.slice(0, at)).split('\n');
      const before = lines.at(-1)!;
      const place = `line ${line + lines.length - 1}, column ${[...before].length + 1}`;
      const rest = `${before}${piece.slice(at, piece.indexOf('\n', at) < 0 ? undefined : piece.indexOf('\n', at))}`;
      if (MERGE_MARK.test(rest)) return `${place}: there are the marks of a merge that was not finished`;
      if (parser.isEnded)
        return `${place}: something follows the first value. Give a file to each, or a list of all of them`;
      return place;
    }
    index += 1;
  }
  return `line ${line}, where it ends too early: the file is truncated`;
}

function lengthUntilMistake(parser: JSONParser, piece: string): number {
  let at = 0;
  for (const character of piece) {
    try {
      if (parser.isEnded && character.trim() !== '') return at;
      parser.write(character);
    } catch {
      return at;
    }
    at += character.length;
  }
  return at;
}
