import { renderToString } from 'preact-render-to-string';
import { areWrittenTogether } from '../foundation/language/name-order.js';
import {
  type MessageText,
  TEXT_PARTS,
  type TemplateValues,
  type TextPart,
} from '../text/message-catalogue/message-text.js';
import { cutTemplate, fillTemplate, valueOf } from '../text/template.js';
import type { ResolvedText } from '../text/text.service.js';
import { MailBody } from './mail-body.js';
import type { MailLabel } from './mail-label.js';

/** The parts of a mail: a text, the values of its template fields, the target of its button, and its look. */
export interface MailContent extends ResolvedText {
  readonly values: TemplateValues;
  readonly url: string | undefined;
  readonly label: MailLabel;
  /** The address of the logo within the mail: `cid:` of its attachment, or a `data:` URL. */
  readonly logoSrc: string | undefined;
}

export interface RenderedMail {
  /** A single line, as headers require. */
  readonly subject: string;
  readonly html: string;
  /** Its content for readers without HTML. */
  readonly text: string;
}

/** Values that users choose, and could misuse to place an address in one of our mails. */
const NAMES: ReadonlySet<string> = new Set(['FirstName', 'LastName', 'NickName', 'DisplayName']);

const CODES: ReadonlySet<string> = new Set(['Code', 'OTP']);

/** A mail in both formats. Values are plain text, whatever they contain: never HTML, never a template. */
export function renderMail({ text: written, language, values, url, label, logoSrc }: MailContent): RenderedMail {
  const safe = harmless(values);
  const text = withSpacedNames(written, safe);
  const subject = toOneLine(fillTemplate(text.subject, safe));
  const isDark = label.mode === 'dark';
  const body = MailBody({
    language,
    subject,
    text,
    values: safe,
    code: codeIn(text, safe),
    url,
    name: toOneLine(label.name),
    logoSrc,
    colors: isDark ? label.dark : label.light,
    darkColors: label.mode === 'auto' ? label.dark : undefined,
  });
  const link = url === undefined ? '' : [fillTemplate(text.buttonText, safe), url].filter(Boolean).join(': ');
  const parts = [...[text.greeting, text.text].map((part) => fillTemplate(part, safe)), codeIn(text, safe)];
  return {
    subject,
    html: `<!doctype html>\n${renderToString(body)}`,
    text: `${[...parts, link, fillTemplate(text.footerText, safe), toOneLine(label.name)].filter(Boolean).join('\n\n')}\n`,
  };
}

/** A first and a last name that follow each other directly: `{{.LastName}}{{.FirstName}}`. */
const ADJACENT_NAMES =
  /(\{\{[ \t]*\.(?:FirstName|LastName)[ \t]*\}\})(?=\{\{[ \t]*\.(?:FirstName|LastName)[ \t]*\}\})/gu;

/** Texts in Chinese and Korean write a name without a space, which is right only for names in their scripts. */
function withSpacedNames(text: MessageText, { FirstName = '', LastName = '' }: TemplateValues): MessageText {
  if (FirstName === '' || LastName === '' || areWrittenTogether([FirstName, LastName])) return text;
  const spaced = TEXT_PARTS.map((part) => [part, text[part].replace(ADJACENT_NAMES, '$1 ')] as const);
  return Object.fromEntries(spaced) as Record<TextPart, string>;
}

/** The code that can be typed instead of pressing the button, if the text speaks of it. */
function codeIn({ text }: MessageText, values: TemplateValues): string {
  const piece = cutTemplate(text).find((part) => 'field' in part && CODES.has(part.field));
  return piece && 'field' in piece ? valueOf(piece.field, values) : '';
}

/** A message that is plain text only, such as an SMS. */
export function renderShortMessage({ text }: Pick<ResolvedText, 'text'>, values: TemplateValues): string {
  return fillTemplate(text.text, harmless(values));
}

function harmless(values: TemplateValues): TemplateValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      NAMES.has(name) ? withoutAddresses(toOneLine(value)) : toOneLine(value),
    ]),
  );
}

/** CR, LF and similar characters would begin a new header or a new line. */
function toOneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/**
 * Mail programs turn anything that looks like an address into a link, even in plain text: a user called
 * https://evil.test would place a link in our mail. A zero-width space within keeps the appearance and breaks the
 * address.
 */
function withoutAddresses(name: string): string {
  return name.replace(/([.:/@])(?=\S)/gu, '$1\u200b');
}
