import type { FoundText } from '../../text/text.service.js';
import { toOwnDetails } from '../wire/details.dto.js';
import type { MessageTextResponse } from './message-text.dto.js';

export function toMessageText({ text, details, isDefault }: FoundText): MessageTextResponse {
  return { customText: { ...text, details: toOwnDetails(details), isDefault } };
}
