import { describe, expect, it } from '@jest/globals';
import { FoundObjects, kindOfParameter } from './found-objects.js';

describe('What was made or found', () => {
  it('is known by its name, the last one first', () => {
    const found = new FoundObjects();
    found.learn('post', '/management/v1/projects', { name: 'Shop' }, { id: '1', details: { resourceOwner: '9' } });
    found.learn('post', '/management/v1/users/human', { profile: { displayName: 'Ilse Brandt' } }, { userId: '2' });
    found.learn(
      'post',
      '/management/v1/users/_search',
      {},
      {
        result: [
          { id: '3', userName: 'otto', human: { profile: { displayName: 'Otto Vogel' } } },
          { id: '4', userName: 'robot', machine: { name: 'Robot' } },
        ],
      },
    );
    expect(found.of('project')).toEqual([{ id: '1', name: 'Shop' }]);
    expect(found.of('user')).toEqual([
      { id: '3', name: 'Otto Vogel' },
      { id: '4', name: 'robot' },
      { id: '2', name: 'Ilse Brandt' },
    ]);
    expect(found.nameOf('3')).toBe('Otto Vogel');
  });

  it('survives a reload', () => {
    const found = new FoundObjects();
    found.learn('get', '/management/v1/orgs/me', undefined, { org: { id: '5', name: 'Birkenhof' } });
    expect(new FoundObjects(JSON.parse(JSON.stringify(found.all)) as typeof found.all).nameOf('5')).toBe('Birkenhof');
  });

  it('is not offered once it is removed', () => {
    const found = new FoundObjects();
    found.learn('post', '/management/v1/projects', { name: 'Shop' }, { id: '1' });
    found.learn('delete', '/management/v1/projects/1', undefined, {});
    expect(found.of('project')).toEqual([]);
  });

  it.each([
    ['id', '/management/v1/users/{id}/_lock', 'user'],
    ['id', '/admin/v1/mails/{id}/_retry', 'e-mail'],
    ['userId', '/admin/v1/members/{userId}', 'user'],
    ['grantId', '/management/v1/projects/{projectId}/grants/{grantId}', 'project grant'],
    ['grantId', '/management/v1/users/{userId}/grants/{grantId}', 'user grant'],
    ['language', '/admin/v1/text/message/init/{language}', undefined],
  ])('%s of %s is offered as %s', (name, path, kind) => {
    expect(kindOfParameter(name, path)).toBe(kind);
  });
});
