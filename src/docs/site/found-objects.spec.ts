import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE } from '../../admin/kit/wire/example-ids.js';
import { type ApiDocument, type ApiOperation, routesOf, type Schema } from './document.js';
import { ExampleIds } from './examples.js';
import { FoundObjects } from './found-objects.js';
import { kindOfParameter, NO_REFERENCES } from './kinds.js';
import { ShownIds } from './shown-ids.js';

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as ApiDocument;

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
    ['grantId', '/management/v1/groups/{groupId}/grants/{grantId}', 'group grant'],
    ['language', '/admin/v1/text/message/init/{language}', undefined],
  ])('%s of %s is offered as %s', (name, path, kind) => {
    expect(kindOfParameter(name, path)).toBe(kind);
  });

  it('calls an organization and the user who manages it by their own names', () => {
    const found = new FoundObjects();
    const sent = { org: { name: 'Birkenhof' }, human: { profile: { firstName: 'Ilse', lastName: 'Brandt' } } };
    found.learn('post', '/admin/v1/orgs/_setup', sent, { orgId: '1', userId: '2' });
    expect([found.nameOf('1'), found.nameOf('2')]).toEqual(['Birkenhof', 'Ilse Brandt']);
  });

  it('stands in examples once it is made, or chosen from a list, until it is removed', () => {
    const found = new FoundObjects();
    found.learn('post', '/management/v1/users/_search', {}, { result: [{ id: '3', userName: 'otto' }] });
    expect(found.chosenOf('user')).toBeUndefined();
    found.use('3');
    expect(found.chosenOf('user')).toBe('3');
    found.learn('post', '/management/v1/users/machine', { name: 'Robot' }, { userId: '4' });
    expect(found.chosenOf('user')).toBe('4');
    found.learn('delete', '/management/v1/users/4', undefined, {});
    expect(found.chosenOf('user')).toBeUndefined();
  });

  it('replaces the ids of examples by kind, in parameters and bodies, and no id that somebody typed', () => {
    const found = new FoundObjects();
    found.learn('post', '/admin/v1/keys', {}, { id: '5' });
    found.learn('post', '/management/v1/users/human', {}, { userId: '6' });
    const shown = new ShownIds(new ExampleIds([]), found);
    const { signingKey, person, project } = EXAMPLE;
    expect(shown.parameter(signingKey, 'id', '/admin/v1/keys/{id}/_activate')).toBe('5');
    expect(shown.parameter('914796799359718676', 'id', '/admin/v1/keys/{id}/_activate')).toBe('914796799359718676');
    expect(shown.body(JSON.stringify({ userId: person, projectId: project }), '/management/v1/x')).toBe(
      JSON.stringify({ userId: '6', projectId: project }),
    );
  });

  it('is no user of a provider', () => {
    const found = new FoundObjects();
    const link = { idpId: '7', userId: 'u-8823', userName: 'hannah@example.com' };
    found.learn('post', '/v2/users/6/links/_search', {}, { result: [link] });
    expect([found.of('identity provider').map(({ id }) => id), found.isKnown('u-8823')]).toEqual([['7'], false]);
  });

  it('is of a kind, for each parameter and field of all operations that is an id', () => {
    // The document of an import brings its own objects.
    const routes = routesOf(document).filter(({ operation }) => operation.operationId !== 'ImportData');
    const unknown = routes.flatMap(({ path, operation }) =>
      idsOf(operation)
        .filter((name) => !NO_REFERENCES.has(name) && kindOfParameter(name, path) === undefined)
        .map((name) => `${operation.operationId} ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('can be learned for each kind from an answer of some operation, but for what no answer names', () => {
    const wanted = new Set(
      routesOf(document).flatMap(({ path, operation }) =>
        idsOf(operation).flatMap((name) => (NO_REFERENCES.has(name) ? [] : (kindOfParameter(name, path) ?? []))),
      ),
    );
    const learned = new Set(
      routesOf(document).flatMap(({ path }) => {
        const found = new FoundObjects();
        found.learn('post', path.replaceAll(/\{\w+\}/g, '1'), {}, { result: [{ id: '2' }] });
        return Object.keys(found.all);
      }),
    );
    // Accounts, domains, clients and events have no field "id"; a delivery is one of an event.
    const byField = ['client', 'domain', 'linked account', 'event', 'delivery'];
    expect([...wanted].filter((kind) => !learned.has(kind) && !byField.includes(kind))).toEqual([]);
  });
});

const IS_ID = /^id$|[a-z]Ids?$|_id$/;

/** Of the path, the query and the body, those within others included. */
function idsOf({ parameters = [], requestBody }: ApiOperation): string[] {
  const names = new Set(parameters.filter(({ in: place }) => place !== 'header').map(({ name }) => name));
  const seen = new Set<Schema>();
  const visit = (schema: Schema | undefined): void => {
    const whole = schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!];
    if (!whole || seen.has(whole)) return;
    seen.add(whole);
    for (const part of whole.allOf ?? []) visit(part);
    visit(whole.items);
    for (const [name, property] of Object.entries(whole.properties ?? {})) {
      names.add(name);
      visit(property);
    }
  };
  visit(requestBody?.content['application/json']?.schema);
  return [...names].filter((name) => IS_ID.test(name));
}
