/** Made with the first text: it reads 2 MB of ICU. */
let words: Intl.Segmenter | undefined;

/** Particles and endings, which belong to the word before them. */
const HIRAGANA = /^[\p{sc=Hiragana}\u30FC]+$/u;
/** Signs that never begin a line (JIS X 4051). */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}]+$/u;
/** Words from other languages, some of which the segmenter does not know: it cuts パスキー (passkey) in two. */
const KATAKANA_START = /^\p{sc=Katakana}/u;
const KATAKANA_END = /[\p{sc=Katakana}\u30FC]$/u;

/** A Japanese text cut between its phrases, where a line may end: a word with the particles that follow it. */
export function phrasesOf(text: string): readonly string[] {
  words ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const phrases: string[] = [];
  for (const { segment } of words.segment(text)) {
    const last = phrases.at(-1);
    const isOneWord = KATAKANA_START.test(segment) && KATAKANA_END.test(last ?? '');
    const belongsToLast = HIRAGANA.test(segment) || CLOSING.test(segment) || segment.trim() === '' || isOneWord;
    if (belongsToLast && last !== undefined) phrases[phrases.length - 1] = last + segment;
    else phrases.push(segment);
  }
  return phrases;
}
