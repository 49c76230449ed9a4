import { describe, expect, it } from '@jest/globals';
import { messageLanguages } from '../../text/message-catalogue/catalogue.js';
import { webhookNotice } from './webhook-notice.js';

describe.each(messageLanguages)('The notice of a webhook that was switched off, in %s', (language) => {
  it('is complete, and names the webhook', () => {
    const { title, text, greeting, buttonText } = webhookNotice(language);
    for (const part of [title, text, greeting, buttonText]) expect(part.trim()).not.toBe('');
    expect(text.match(/\{\{[^}]*\}\}/g)).toEqual(['{{.About}}']);
  });
});
