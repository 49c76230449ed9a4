import type { FoundText } from '../../text/text.service.js';
import { toDetails } from '../details.dto.js';
import type { MessageTextResponse } from './message-text.dto.js';

export function toMessageText({ text, details, isDefault }: FoundText): MessageTextResponse {
  const { title, preHeader, subject, greeting, text: body, buttonText, footerText } = text;
  return { customText: { details: toDetails(details), title, preHeader, subject, greeting, text: body, buttonText, footerText, isDefault } };
}
