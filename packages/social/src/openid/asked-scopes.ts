import { Texts } from 'gatehouse/admin';

/** Scopes that are asked for besides those that the sign-in itself needs (RFC 6749 §3.3). */
export const FurtherScopes = (number: number): PropertyDecorator =>
  Texts(number, {
    maxItems: 50,
    max: 200,
    form: SCOPE,
    description: 'The scopes that are asked for besides those that the sign-in needs.',
    example: [],
  });

export const SCOPE = {
  fits: (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text),
  says: 'must be a scope without spaces and quotes',
};

export function withScopes(needed: readonly string[], further: readonly string[]): readonly string[] {
  return [...new Set([...needed, ...further])];
}
