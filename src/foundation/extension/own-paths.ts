import type { Extension } from './extension.js';

/** The first words of the paths of the product, and some that later versions may want. */
export const WORDS_OF_PRODUCT: readonly string[] = [
  ...['admin', 'assets', 'auth', 'management', 'oauth', 'oidc', 'ui'],
  ...[
    'account',
    'debug',
    'dev',
    'device',
    'docs',
    'docs-json',
    'docs-yaml',
    'ext',
    'grpc',
    'health',
    'idps',
    'login',
    'metrics',
  ],
  ...['openapi', 'v1', 'v2', 'v2beta', 'v3'],
];

const PATH = /^[a-z][a-z0-9-]{0,39}(\/[a-z0-9][a-z0-9.-]{0,39}){0,3}$/;

/** What is wrong with the paths that extensions declare, each in a sentence with its remedy. */
export function pathMistakes(extensions: readonly Extension[]): string[] {
  const declared = extensions.flatMap(({ id, paths }) => paths.map((path) => ({ id, path })));
  const formed = declared.filter(({ path }) => PATH.test(path));
  return [
    ...declared.flatMap(({ id, path }) => {
      if (!PATH.test(path))
        return [
          `"${path}" cannot be a path of the extension ${id}. Give one to four lower-case words without a slash at either end, such as scim/v2.`,
        ];
      return WORDS_OF_PRODUCT.includes(path.split('/')[0]!)
        ? [`"${path}" cannot be a path of the extension ${id}: its first word is the product's. Choose another one.`]
        : [];
    }),
    ...formed.flatMap(({ id, path }, index) =>
      formed
        .slice(index + 1)
        .filter((other) => isWithin(path, other.path) || isWithin(other.path, path))
        .map((other) =>
          other.id === id
            ? `The extension ${id} declares the paths ${path} and ${other.path}, of which one contains the other. Remove the longer one.`
            : `The extensions ${id} and ${other.id} both have the path ${path.length < other.path.length ? path : other.path}. Load only one of them.`,
        ),
    ),
  ];
}

/** Whether a path of a request or of a route, with a slash before it, is one of these paths or below one of them. */
export function isBelow(paths: readonly string[], path: string): boolean {
  const asked = path.toLowerCase(); // as Express compares
  return paths.some((one) => isWithin(asked.slice(1), one));
}

function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}
