import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../test/support/effort.js';
import { isEasyToGuess } from './common-password.js';

const OWN = ['ada.lovelace', 'ada.lovelace@birkenhof.example', 'Ada', 'Lovelace', 'Ada Lovelace', 'Birkenhof'];

describe('A password that guessers try first: NIST SP 800-63B-4, section 3.1.1.2', () => {
  it.each([
    'password',
    'Password2026!',
    'P@ssw0rd1234',
    'passwordpassword',
    'iloveyou iloveyou',
    'sunshine2026!!!',
    '123456789012345',
    'abcdefghijklmnopq',
    'qwertyuiopasdfgh',
    '1q2w3e4r5t6y7u8i',
    'zyxwvutsrqponmlk',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    'aaaaaaaabbbbbbbb',
    'Ada.Lovelace2026',
    'adalovelace1815!',
    'ada.lovelace@birkenhof.example',
    'Birkenhof 2026!!',
    'BirkenhofBirkenhof',
    'ｐａｓｓｗｏｒｄ',
  ])('%j is one', (password) => {
    expect(isEasyToGuess(password, OWN)).toBe(true);
  });

  it.each([
    'Correct-Horse-7',
    'correct horse battery staple',
    'my password is a whole sentence',
    'Ada went to Birkenhof by bike',
    'vK9$mQ2!xR7&pL4z',
    '密码不要太简单好不好呢我说过了',
    'paßwortkette aus worten',
    '4711 Bäume im Wald',
  ])('%j is none: only whole passwords are compared', (password) => {
    expect(isEasyToGuess(password, OWN)).toBe(false);
  });

  it('is found in a few milliseconds, however long it is', async () => {
    isEasyToGuess('x', []);
    const cpuMs = await cpuMsOf(() => {
      for (let n = 0; n < 50; n += 1) isEasyToGuess(`${'ab1'.repeat(66)}${n}`, OWN);
    });
    expect(cpuMs / 50).toBeLessThan(5);
  });
});
