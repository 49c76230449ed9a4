import { describe, expect, it } from '@jest/globals';
import { messageLanguages } from '../../text/message-catalogue/catalogue.js';
import { TEMPLATE_FIELDS } from '../../text/message-catalogue/message-text.js';
import { templateProblem } from '../../text/template.js';
import { securityNotice } from './security-notice.js';

describe.each(messageLanguages)('The notice of a change of an account, in %s', (language) => {
  it.each([
    ['otpAdded', false],
    ['otpRemoved', false],
    ['emailCodesAdded', false],
    ['emailCodesRemoved', false],
    ['recoveryCodesMade', false],
    ['passkeyAdded', true],
    ['passkeyRemoved', true],
    ['securityKeyAdded', true],
    ['securityKeyRemoved', true],
    ['keyCopied', true],
    ['emailAsked', true],
    ['emailChanged', true],
    ['phoneChanged', false],
    ['providerLinked', true],
    ['providerUnlinked', true],
    ['passwordReset', true],
  ] as const)('says %s, whose account it is, and what it is about', (change, isAboutSomething) => {
    const { title, text, greeting, buttonText } = securityNotice(language, change, 'Blue');
    for (const part of [title, text, greeting, buttonText]) {
      expect(part.trim()).not.toBe('');
      expect(templateProblem(part, [...TEMPLATE_FIELDS.passwordChange, 'About'])).toBeUndefined();
    }
    expect(text).toContain('{{.PreferredLoginName}}');
    expect(text.includes('{{.About}}')).toBe(isAboutSomething);
  });

  it.each(['passkeyAdded', 'passkeyRemoved', 'securityKeyAdded', 'securityKeyRemoved', 'keyCopied'] as const)(
    'ends the sentence of %s without a name if the key has none',
    (change) => {
      const [named, unnamed] = ['Blue', undefined].map((about) => securityNotice(language, change, about).text);
      expect(unnamed).not.toContain('About');
      expect(unnamed).not.toMatch(/[:：\s][.。]/u);
      expect(unnamed!.length).toBeLessThan(named!.length - '{{.About}}'.length);
    },
  );
});
