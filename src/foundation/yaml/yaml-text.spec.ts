import { describe, expect, it } from '@jest/globals';
import { YamlMistake, YamlText } from './yaml-text.js';

const TEXT = `# a comment
instance:
  policies:
    login: { forceMfa: true }
  "quoted key":
    - one
    - two: 2
`;

describe('A text in YAML', () => {
  it('says what it contains', () => {
    expect(YamlText.read(TEXT).content).toEqual({
      instance: { policies: { login: { forceMfa: true } }, 'quoted key': ['one', { two: 2 }] },
    });
    expect(YamlText.read('{"a": [1]}').content).toEqual({ a: [1] });
  });

  it.each([
    [['instance'], 2],
    [['instance', 'policies', 'login'], 4],
    [['instance', 'policies', 'login', 'forceMfa'], 4],
    [['instance', 'quoted key'], 5],
    [['instance', 'quoted key', 1, 'two'], 7],
  ])('says where %j stands', (path, line) => {
    expect(YamlText.read(TEXT).lineOf(path)).toBe(line);
  });

  it('says where the nearest member stands, of one that is not there', () => {
    expect(YamlText.read(TEXT).lineOf(['instance', 'policies', 'lockout', 'maxOtpAttempts'])).toBe(3);
    expect(YamlText.read(TEXT).lineOf(['organizations'])).toBeUndefined();
  });

  it('names the line of what is no YAML, and refuses several documents', () => {
    const mistakeIn = (text: string): unknown => {
      try {
        return YamlText.read(text);
      } catch (error) {
        return error;
      }
    };
    expect(mistakeIn('a:\n  b: 1\n c: 2\n')).toMatchObject({ line: 3 });
    expect(mistakeIn('a: 1\n---\nb: 2\n')).toBeInstanceOf(YamlMistake);
  });
});
