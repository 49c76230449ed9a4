/** Punctuation between digits. */
const PUNCTUATION = /[\s()\-./]/gu;
/** ITU-T E.164 §6.2.1: fifteen digits at most, country code included. */
const INTERNATIONAL = /^\+[1-9]\d{3,14}$/;

/** The number as Gatehouse keeps it; undefined if it lacks its country code, or is none. */
export function toInternational(written: string): string | undefined {
  const bare = written.normalize('NFKC').replace(PUNCTUATION, '');
  return INTERNATIONAL.test(bare) ? bare : undefined;
}
