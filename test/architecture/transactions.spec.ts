import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from '@jest/globals';

/*
 * A transaction begins in a use case or in the service of a noun, never in an edge, which translates a message, calls
 * one method and translates its answer. What must happen together is then said once for all edges.
 */

const root = join(import.meta.dirname, '..', '..', 'src');

const EDGES = ['oidc', 'login', 'account', 'admin', 'docs', 'cli', 'page'];

/** Where an edge begins one all the same, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'login/idp/external-registration.ts':
    'the account of a provider is added under the first name that is free within the transaction, by rules for names that registration by the form has as well',
};

it('no edge begins a transaction, with the exceptions that are listed here', () => {
  const found = EDGES.flatMap((edge) =>
    readdirSync(join(root, edge), { recursive: true, encoding: 'utf8' })
      .map((path) => `${edge}/${path.split(sep).join('/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path))
      .filter((path) => /\.(transaction|atomically)\(/.test(readFileSync(join(root, path), 'utf8'))),
  );
  expect(found.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});
