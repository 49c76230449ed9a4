const words = new Intl.Segmenter('ja', { granularity: 'word' });

/** Particles and endings, which belong to the word before them. */
const HIRAGANA = /^[\p{sc=Hiragana}ー]+$/u;
/** Nothing of these begins a line (JIS X 4051). */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}]+$/u;

/** A Japanese text cut between its phrases, where a line may end: a word with the particles that follow it. */
export function phrasesOf(text: string): readonly string[] {
  const phrases: string[] = [];
  for (const { segment } of words.segment(text)) {
    const belongsToLast = HIRAGANA.test(segment) || CLOSING.test(segment) || segment.trim() === '';
    if (belongsToLast && phrases.length > 0) phrases[phrases.length - 1] += segment;
    else phrases.push(segment);
  }
  return phrases;
}
