import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from '@jest/globals';

/*
 * A row is read and written through the repository that Nest injects, and changed within a transaction, as
 * `tx.of(this.rows)`. CONTRIBUTING.md says when a statement is better (docs/adr/0004).
 */

const root = join(import.meta.dirname, '..', '..', 'src');

/** What goes past the fields with injected repositories to TypeORM's manager, or injects otherwise, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'foundation/database/database.ts': 'gives the repositories of a transaction, which are those of its manager',
  'foundation/database/transaction.ts': 'gives the repositories of a transaction, which are those of its manager',
  'foundation/database/listing.ts': 'SQL composed for a request, which is not prepared',
  'org/policy/policy.repository.ts':
    'the same code for ten tables of one structure, whose repositories it gets as a list',
  'extension/testing/builders.ts': 'no service stores a secret that the caller has chosen, as a test needs it',
};

/** What reads without a transaction. Whatever else a repository does belongs into one. */
const READS = /^(find|count|exists)/;
/** Builds an object, and asks nothing. */
const MAKES = 'create';

const sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

/** The fields of a source that hold injected repositories. */
function repositoriesIn(text: string): string[] {
  return [...text.matchAll(/@InjectRepository\(\w+\)\s*(?:private |protected )?readonly (\w+): Repository</g)].map(
    ([, name]) => name!,
  );
}

const PAST = /\b(tx|on|database|source|runner|this)\.(entities|manager)\b|\bgetRepository(Token)?\(/;

it('rows are read and written through injected repositories, with the exceptions that are listed here', () => {
  const found = [...sources].filter(([, text]) => PAST.test(text));
  expect(found.map(([path]) => path).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

it('every injected repository is declared in the same form, so that the next test sees it', () => {
  const hidden = [...sources].filter(
    ([, text]) => text.match(/@InjectRepository\(/g)?.length !== (repositoriesIn(text).length || undefined),
  );
  expect(hidden.map(([path]) => path)).toEqual([]);
});

it('an injected repository changes rows only within a transaction', () => {
  const outside = [...sources].flatMap(([path, text]) =>
    repositoriesIn(text).flatMap((name) =>
      [...text.matchAll(new RegExp(`(\\.of\\()?this\\.${name}\\b(?:\\s*\\.(\\w+))?`, 'g'))]
        .filter(([, within, method = '']) => within === undefined && !READS.test(method) && method !== MAKES)
        .map(([use]) => `${path}: ${use}`),
    ),
  );
  expect(outside).toEqual([]);
});
