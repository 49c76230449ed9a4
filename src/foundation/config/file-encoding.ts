const STARTS: ReadonlyArray<readonly [bytes: readonly number[], problem: string]> = [
  [[0xff, 0xfe, 0, 0], utf('UTF-32LE')],
  [[0, 0, 0xfe, 0xff], utf('UTF-32BE')],
  [[0xff, 0xfe], utf('UTF-16LE')],
  [[0xfe, 0xff], utf('UTF-16BE')],
  [[0x50, 0x4b, 3, 4], packed('zip')],
  [[0x42, 0x5a, 0x68], packed('bzip2')],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], packed('xz')],
  [[0x28, 0xb5, 0x2f, 0xfd], packed('zstd')],
];

function utf(encoding: string): string {
  return `seems to be in ${encoding}, as PowerShell and Windows write it: convert it to UTF-8 first (iconv -f ${encoding} -t UTF-8 FILE > NEW)`;
}

function packed(format: string): string {
  return `is compressed with ${format}: unpack it first (gzip alone is read)`;
}

/** How the first bytes of a file show that it is not text in UTF-8; undefined if they do not. */
export function problemOfBeginning(bytes: Uint8Array): string | undefined {
  const known = STARTS.find(([start]) => start.every((byte, at) => bytes[at] === byte))?.[1];
  if (known !== undefined || bytes.length < 2) return known;
  // The files that are read begin with a character of ASCII.
  if (bytes[0] !== 0 && bytes[1] === 0) return utf('UTF-16LE');
  return bytes[0] === 0 && bytes[1] !== 0 ? utf('UTF-16BE') : undefined;
}

/** The problem of a text whose beginning is right, and which has a byte that is not UTF-8 at this line. */
export function problemOfLine(line: number): string {
  return `is not UTF-8 at line ${line}, and seems to be in Windows-1252 or Latin-1: convert it first (iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW)`;
}

/** A problem with the encoding of a file, worded to follow the file's name. */
export class EncodingProblem extends Error {}

/**
 * The text of a whole file that is short, without a byte order mark.
 * @throws EncodingProblem if it is not UTF-8
 */
export function decode(bytes: Uint8Array): string {
  const problem = problemOfBeginning(bytes);
  if (problem !== undefined) throw new EncodingProblem(problem);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new EncodingProblem(problemOfLine(lineOfBadByte(bytes)), { cause: error });
  }
}

/** The line of the first byte that is not UTF-8, counted from one. */
export function lineOfBadByte(bytes: Uint8Array): number {
  return new TextDecoder().decode(bytes).split('\ufffd')[0]!.split('\n').length;
}
