import type { IdpIdentity, JsonObject } from 'gatehouse';
import { textOf } from '../answer/json-answer.js';

/** The identity in claims (OIDC Core §5.1). Whether the address is verified is the vendor's to say. */
export function identityOf(subject: string, claims: JsonObject, emailVerified: boolean): IdpIdentity {
  const said = {
    preferredUserName: textOf(claims, 'preferred_username'),
    email: textOf(claims, 'email'),
    givenName: textOf(claims, 'given_name'),
    familyName: textOf(claims, 'family_name'),
    name: textOf(claims, 'name'),
    nickName: textOf(claims, 'nickname'),
    locale: textOf(claims, 'locale'),
  };
  const present = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { subject, ...present, emailVerified };
}

/** Apple writes `"true"`; all else, such as `1`, is not what OIDC Core §5.1 says. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
