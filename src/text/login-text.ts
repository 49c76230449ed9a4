import { ENGLISH_LOGIN_TEXTS, type LoginScreen, type LoginTexts } from './login-catalogue/catalogue.js';
import type { CustomLoginTexts } from './text.entity.js';

/** Screens and fields regardless of their names, as the loops below see them. */
type Screens = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every screen with every field, in the order of the catalogue; what `value` gives undefined for is left out. */
function mapFields<Result>(value: (screen: string, field: string) => string | undefined): Result {
  const screens = Object.entries(ENGLISH_LOGIN_TEXTS as Screens).map(([screen, fields]) => {
    const found = Object.keys(fields).map((field) => [field, value(screen, field)] as const);
    return [screen, Object.fromEntries(found.filter(([, text]) => text !== undefined))] as const;
  });
  return Object.fromEntries(screens.filter(([, fields]) => Object.keys(fields).length > 0)) as Result;
}

function textAt(texts: CustomLoginTexts | LoginTexts, screen: string, field: string): string {
  return (texts as Screens)[screen as LoginScreen]?.[field] ?? '';
}

/** The texts with every field, empty if there is no custom text. */
export function withBlanks(own: CustomLoginTexts): LoginTexts {
  return mapFields((screen, field) => textAt(own, screen, field));
}

/** The texts without the empty fields. */
export function onlyOwn(texts: LoginTexts): CustomLoginTexts {
  return mapFields((screen, field) => textAt(texts, screen, field) || undefined);
}

export function layOver(below: LoginTexts, above: CustomLoginTexts): LoginTexts {
  return mapFields((screen, field) => textAt(above, screen, field) || textAt(below, screen, field));
}

/** The fields of `after` that differ from `before`. */
export function differences(before: LoginTexts, after: LoginTexts): CustomLoginTexts {
  return mapFields((screen, field) =>
    textAt(before, screen, field) === textAt(after, screen, field) ? undefined : textAt(after, screen, field),
  );
}

export function isEmpty(texts: CustomLoginTexts): boolean {
  return Object.keys(texts).length === 0;
}
