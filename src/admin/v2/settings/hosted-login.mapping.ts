import { sha256Base64Url } from '../../../foundation/crypto/digest.js';
import { type FieldViolation, invalidFields } from '../../../foundation/error/domain-error.js';
import type { LoginTexts } from '../../../text/login-catalogue/catalogue.js';
import { LOGIN_SCREENS, type ScreenFacts } from '../../../text/login-screens.js';
import type { CustomLoginTexts } from '../../../text/text.entity.js';

/** The entity tag of texts: a digest of them. */
export function etagOf(texts: CustomLoginTexts): string {
  return sha256Base64Url(JSON.stringify(texts));
}

/**
 * The texts of an object that may contain anything, with every screen and every field, empty where nothing was sent.
 * @throws DomainError InvalidArgument for what is no text of the pages
 */
export function toSentTexts(translations: object): LoginTexts {
  const violations: FieldViolation[] = [];
  const sent = Object.entries(translations);
  for (const [screen, texts] of sent) violations.push(...violationsOf(`translations.${screen}`, screen, texts));
  if (violations.length > 0) throw invalidFields(violations);
  const known = new Map(sent as Array<[string, Readonly<Record<string, string>>]>);
  const screens = Object.entries(LOGIN_SCREENS).map(([screen, { fields }]) => [
    screen,
    Object.fromEntries(Object.keys(fields).map((field) => [field, known.get(screen)?.[field] ?? ''])),
  ]);
  return Object.fromEntries(screens) as LoginTexts;
}

function violationsOf(at: string, name: string, texts: unknown): FieldViolation[] {
  const screen = Object.hasOwn(LOGIN_SCREENS, name) ? (LOGIN_SCREENS as Record<string, ScreenFacts>)[name] : undefined;
  if (!screen) return [{ field: at, description: 'is no screen of the pages' }];
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    return [{ field: at, description: 'must be an object' }];
  return Object.entries(texts).flatMap(([field, text]) => {
    const problem = problemOf(Object.hasOwn(screen.fields, field) ? screen.fields[field] : undefined, text);
    return problem === undefined ? [] : [{ field: `${at}.${field}`, description: problem }];
  });
}

function problemOf(
  facts: readonly [number: number, maxCharacters: number] | undefined,
  text: unknown,
): string | undefined {
  if (!facts) return 'is no text of this screen';
  const [, max] = facts;
  if (typeof text !== 'string') return 'must be a string';
  return [...text].length > max ? `must have at most ${max} characters` : undefined;
}
