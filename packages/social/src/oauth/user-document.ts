import type { IdpIdentity, JsonObject } from 'gatehouse';
import { identifierOf } from '../answer/json-answer.js';
import { isTrue } from '../openid/identity.js';
import { memberAt } from './member-path.js';
import type { OauthSettings } from './oauth.settings.js';

/** Who the user is. @throws Error if the document does not identify anybody */
export function identityIn(document: JsonObject, settings: Readonly<OauthSettings>): IdpIdentity {
  const subject = identifierOf(memberAt(document, settings.idAttribute));
  if (subject === undefined) throw new Error(`The user endpoint has no text or integer at ${settings.idAttribute}.`);
  const said = {
    preferredUserName: memberAt(document, settings.userNameAttribute),
    email: memberAt(document, settings.emailAttribute),
    givenName: memberAt(document, settings.givenNameAttribute),
    familyName: memberAt(document, settings.familyNameAttribute),
    name: memberAt(document, settings.nameAttribute),
    locale: memberAt(document, settings.localeAttribute),
  };
  const texts = Object.fromEntries(Object.entries(said).filter(([, value]) => typeof value === 'string'));
  const emailVerified = settings.trustsEmailVerified && isTrue(memberAt(document, settings.emailVerifiedAttribute));
  return { subject, ...texts, emailVerified };
}
