import { describe, expect, it } from '@jest/globals';
import { isColor, isEmail, isLink, isWebAddress, labelViolations, loginViolations, passwordComplexityViolations } from './policy-rules.js';

describe('An address to send a browser to', () => {
  it.each(['https://a.test', 'http://localhost:3000/x?y=z#f', 'HTTPS://Ä.test/ü', 'https://a.test/%20'])('is %s', (text) => {
    expect(isWebAddress(text)).toBe(true);
  });

  it.each([
    'javascript:x', 'file:///etc/passwd', 'http:evil', 'https://', '//evil.test', 'not a url', ' https://a', 'https://a b',
    'https://user:pw@evil.test', 'https://user@evil.test', 'https:\\\\evil.test', 'https://a.test\\@evil.test', 'data:text/html,x', 'https://a\n.test',
  ])('is not %j: attacks ADM-019', (text) => {
    expect(isWebAddress(text)).toBe(false);
  });

  it('may name the language of the reader where a link may', () => {
    expect([isLink('https://a.test/{{.Lang}}/terms'), isLink('https://{{.Lang}}.a.test'), isLink('{{.Lang}}://a.test')]).toEqual([true, true, false]);
  });
});

describe('The rules of policies', () => {
  it('know colours', () => {
    expect(['#fff', '#1D4a94'].map(isColor)).toEqual([true, true]);
    expect(['fff', '#ffff', '#gggggg', '#1d4a94 ', 'red', 'url(x)'].map(isColor)).toEqual(Array(6).fill(false));
    expect(labelViolations({ primaryColor: '', fontColor: 'red' }).map(({ field }) => field)).toEqual(['fontColor']);
  });

  it('know e-mail addresses of up to 320 characters', () => {
    expect(isEmail(`${'a'.repeat(64)}@${'b'.repeat(255)}`)).toBe(true);
    expect([`${'a'.repeat(65)}@b.test`, `${'a'.repeat(64)}@${'b'.repeat(256)}`, 'a@b@c', 'a b@c'].map(isEmail)).toEqual(Array(4).fill(false));
  });

  it('say nothing of what is not there', () => {
    expect([loginViolations({}), passwordComplexityViolations({}), labelViolations({})]).toEqual([[], [], []]);
  });

  it('find every broken field at once', () => {
    const broken = loginViolations({ defaultRedirectUri: 'x', passwordCheckLifetimeSeconds: -1, mfaInitSkipLifetimeSeconds: 0.5, secondFactors: ['otp', 'otp'] });
    expect(broken.map(({ field }) => field)).toEqual(['defaultRedirectUri', 'passwordCheckLifetime', 'mfaInitSkipLifetime', 'secondFactors']);
  });
});
