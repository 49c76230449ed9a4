import { sizeProblem } from './image-size.js';

/* Markers of ITU-T T.81, table B.1: the second byte, after 0xff. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const TEM = 0x01;
/** Tables and a reserved marker among the start-of-frame markers. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];

/**
 * Before a component of a frame: its own length, precision, two sizes and the count of components (ITU-T T.81 §B.2.2).
 */
const FRAME_HEADER = 8;
/** A start of a scan: its own length, the count of components, and three bytes at its end (ITU-T T.81 §B.2.3). */
const SCAN_HEADER = 6;

/** What is wrong with a JPEG, after its first marker: every segment must be as long as it says. */
export function jpegProblem(content: Buffer): string | undefined {
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; at < content.length; ) {
    if (content[at] !== 0xff) return 'it holds something between its segments';
    while (content[at] === 0xff) at += 1; // ITU-T T.81 §B.1.1.2: any number of them may precede a marker.
    const marker = content[at];
    if (marker === undefined) return CUT_OFF;
    at += 1;
    if (marker === EOI) return endProblem(hasFrame && hasScan, at === content.length);
    if (marker === 0 || marker === SOI || marker === TEM || isRestart(marker))
      return 'it holds a marker where none may be';
    if (content.length - at < 2) return CUT_OFF;
    const length = content.readUInt16BE(at);
    if (length < 2 || length > content.length - at) return CUT_OFF;
    const segment = content.subarray(at, at + length);
    at += length;
    if (isFrame(marker)) {
      const problem = hasFrame ? 'it has two frames' : frameProblem(segment);
      if (problem !== undefined) return problem;
      hasFrame = true;
    }
    if (marker === SOS) {
      if (!hasFrame || segment.length < SCAN_HEADER || segment.length !== SCAN_HEADER + 2 * segment[2]!)
        return 'one of its scans is broken';
      hasScan = true;
      at = endOfScan(content, at);
    }
  }
  return 'it has no end';
}

const CUT_OFF = 'it is cut off';

function endProblem(isComplete: boolean, isLast: boolean): string | undefined {
  if (!isComplete) return 'it has no data';
  return isLast ? undefined : 'there is data after its end';
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker);
}

function frameProblem(segment: Buffer): string | undefined {
  const count = segment[7];
  if (count === undefined || count < 1 || count > 4 || segment.length !== FRAME_HEADER + 3 * count)
    return 'its frame is broken';
  if (segment[2] !== 8 && segment[2] !== 12) return 'its colours are of no known type';
  return sizeProblem(segment.readUInt16BE(5), segment.readUInt16BE(3));
}

/** ITU-T T.81 §B.1.1.5: in the data of a scan, 0xff is followed by 0, by a restart marker, or by the next segment. */
function endOfScan(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at >= 0; at = content.indexOf(0xff, at + 1)) {
    const next = content[at + 1];
    if (next === undefined || (next !== 0 && next !== 0xff && !isRestart(next))) return at;
  }
  return content.length;
}
