import type { Form } from '../foundation/http/form.js';
import { refusal } from './oidc.errors.js';

/**
 * RFC 6749 §3.2: no parameter may be repeated, apart from the `repeatable` ones of the endpoint. Repeated and
 * unreadable parameters are refused, even unknown ones.
 */
export function checkParameters(form: Form, repeatable: readonly string[] = []): void {
  if (form.isTooLong) throw refusal.tooManyParameters();
  for (const [name, problem] of form.problems) {
    if (!repeatable.includes(name)) throw problemRefusal(name, problem);
    if (form.all(name) === undefined) throw problemRefusal(name, 'malformed');
  }
}

function problemRefusal(name: string, problem: 'repeated' | 'malformed'): Error {
  const shown = /^[a-z_]{1,40}$/.test(name) ? name : 'of that name';
  return problem === 'repeated' ? refusal.parameterRepeated(shown) : refusal.parameterMalformed(shown);
}

/** @throws OAuthError invalid_request when the parameter is absent or empty. */
export function required(form: Form, name: string): string {
  const value = form.find(name);
  if (value === undefined) throw refusal.parameterMissing(name);
  return value;
}

/** RFC 6749 §3.3: printable ASCII without space, quote and backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** Far above any honest request; below what would cost time (AUT-029). */
const MAX_SCOPES = 200;
/** Scopes and the audiences that they name are part of the access token, which must fit into a header. */
const MAX_SCOPE_CHARACTERS = 4_000;

/** The words of `scope`; undefined when the parameter is absent. @throws OAuthError invalid_scope */
export function readScopes(form: Form): string[] | undefined {
  if (form.find('scope') === undefined) return undefined;
  const scopes = form.words('scope');
  if ((form.find('scope') ?? '').length > MAX_SCOPE_CHARACTERS) throw refusal.scopeMalformed();
  if (scopes.length === 0 || scopes.length > MAX_SCOPES || !scopes.every((scope) => SCOPE_TOKEN.test(scope))) {
    throw refusal.scopeMalformed();
  }
  return scopes;
}
