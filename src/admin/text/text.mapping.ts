import type { LoginTexts } from '../../text/login-catalogue/catalogue.js';
import type { FoundLoginTexts } from '../../text/login-text.service.js';
import type { MessageText } from '../../text/message-catalogue/message-text.js';
import type { FoundText } from '../../text/text.service.js';
import { toOwnDetails } from '../kit/wire/details.dto.js';
import type { LoginTextsResponse } from './login-text.dto.js';
import type { MessageTextResponse } from './message-text.dto.js';

export function toMessageTextResponse({ text, details, isDefault }: FoundText): MessageTextResponse {
  return { customText: { ...text, details: toOwnDetails(details), isDefault } };
}

/** The text alone, whatever else the request says. */
export function toMessageText({
  title,
  preHeader,
  subject,
  greeting,
  text,
  buttonText,
  footerText,
}: MessageText): MessageText {
  return { title, preHeader, subject, greeting, text, buttonText, footerText };
}

/**
 * A screen without any text was not set: it is left out, so that who compares what they have set with what there is
 * finds no difference.
 */
export function toLoginTextsResponse({ texts, details, isDefault }: FoundLoginTexts): LoginTextsResponse {
  const set = Object.entries(texts).filter(([, screen]) => Object.values(screen).some((text) => text !== ''));
  return { customText: { ...(Object.fromEntries(set) as LoginTexts), details: toOwnDetails(details), isDefault } };
}
