import { isObject, textOf } from '../answer/json-answer.js';

export interface SaidName {
  readonly givenName?: string;
  readonly familyName?: string;
}

/**
 * The name in the form of Apple's answer, which comes once, and which nobody has signed: a text to show, and nothing
 * that identifies somebody or proves an address. Empty if it is malformed.
 */
export function saidNameIn(user: string | undefined): SaidName {
  const name = user === undefined ? undefined : nameIn(user);
  if (!isObject(name)) return {};
  const [givenName, familyName] = [textOf(name, 'firstName'), textOf(name, 'lastName')];
  return { ...(givenName === undefined ? {} : { givenName }), ...(familyName === undefined ? {} : { familyName }) };
}

function nameIn(user: string): unknown {
  try {
    const value: unknown = JSON.parse(user);
    return isObject(value) ? value['name'] : undefined;
  } catch {
    return undefined;
  }
}
