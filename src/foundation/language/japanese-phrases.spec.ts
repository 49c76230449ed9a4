import { describe, expect, it } from '@jest/globals';
import { phrasesOf } from './japanese-phrases.js';

describe('The phrases of a Japanese heading', () => {
  it.each([
    ['このデバイスにパスキーを追加しますか。', ['この', 'デバイスに', 'パスキーを', '追加しますか。']],
    ['新しいリカバリーコードを作成しますか？', ['新しい', 'リカバリーコードを', '作成しますか？']],
    ['パスキーとセキュリティキー', ['パスキーと', 'セキュリティキー']],
  ])('of "%s" are words with what follows them, and no word is cut in two', (text, phrases) => {
    expect(phrasesOf(text)).toEqual(phrases);
  });

  it('are the whole text together', () => {
    for (const text of ['', ' ', 'Acme へようこそ', 'ログイン名、または e-mail'])
      expect(phrasesOf(text).join('')).toBe(text);
  });
});
