import { describe, expect, it } from '@jest/globals';
import { messageLanguages } from '../../text/message-catalogue/catalogue.js';
import { TEMPLATE_FIELDS } from '../../text/message-catalogue/message-text.js';
import { templateProblem } from '../../text/template.js';
import { registrationNotice } from './registration-notice.js';

describe.each(messageLanguages)('The notice of a registration that was tried, in %s', (language) => {
  it('is complete, and contains only what such a message may', () => {
    const { title, text, greeting, buttonText } = registrationNotice(language);
    for (const part of [title, text, greeting, buttonText]) {
      expect(part.trim()).not.toBe('');
      expect(templateProblem(part, TEMPLATE_FIELDS.passwordChange)).toBeUndefined();
    }
    expect(text).toContain('{{.PreferredLoginName}}');
  });
});
