import { describe, expect, it } from '@jest/globals';
import express, { type Application } from 'express';
import { compareBeginningsFirst } from './route-beginnings.js';

const PATHS = [
  '/',
  '/users',
  '/users/:id',
  '/users/:id/_lock',
  '/Users/me{/:part}',
  '/files/*path',
  '/files',
  '/slashed/',
  '/twice//',
];
const ASKED = [
  ...['/', '', '/users', '/users/', '/USERS', '/Users/7', '/users/7/', '/users/7/_LOCK', '/users/7/_lock/more'],
  ...[
    '/users/me',
    '/users/me/name',
    '/files',
    '/files/a/b',
    '/file',
    '/%75sers',
    '/users%2F7',
    '/u',
    '//users',
    '/slashed',
    '/slashed/',
    '/twice',
    '/twice/',
    '/twice//',
  ],
];

interface Matcher {
  match: (path: string) => unknown;
}

function application(): Application {
  const app = express();
  for (const path of PATHS) app.get(path, (_request, response) => void response.end());
  return app;
}

/** The places of the routes that match a path. */
function matching(app: Application, path: string): number[] {
  const layers = app.router.stack as unknown as Matcher[];
  return layers.flatMap((layer, place) => (layer.match(path) ? [place] : []));
}

describe('Comparing the beginning of a path first', () => {
  it.each(ASKED)('finds the same routes for %j as Express does without it', (path) => {
    const compared = application();
    compareBeginningsFirst(compared);
    expect(matching(compared, path)).toEqual(matching(application(), path));
  });

  it('gives a route the same parameters', () => {
    const app = application();
    compareBeginningsFirst(app);
    const layer = (app.router.stack as unknown as Matcher[])[PATHS.indexOf('/users/:id/_lock')]!;
    expect(layer.match('/users/a%20b/_lock')).toMatchObject({ params: { id: 'a b' } });
  });
});
