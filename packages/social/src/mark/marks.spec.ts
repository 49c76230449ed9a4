import { describe, expect, it } from '@jest/globals';
import { IDP_KIND } from 'gatehouse';
import { GithubKind } from '../github/github.kind.js';
import * as marks from './marks.js';

describe('The marks of the vendors', () => {
  it.each(Object.entries(marks))('have the form that pages take: %s', (_, mark) => {
    const part = Object.assign(new GithubKind(), { mark });
    expect(IDP_KIND.mistakes([{ extension: 'social', name: 'Kind', part: part as never }])).toEqual([]);
  });
});
