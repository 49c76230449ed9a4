import { describe, expect, it } from '@jest/globals';
import { SourceObject } from './source-object.js';

const LABEL = { what: 'Client', name: 'web' };
const unread = (object: SourceObject): string[] =>
  [...object.unread()].map(({ what, name, member }) => `${what} ${name}: ${member}`);

describe('An object of a source file reports which members were not read', () => {
  it('each member that is set, once nothing has read it', () => {
    const object = new SourceObject(
      { id: '1', description: 'x', lifetime: 5, isOn: true, isOff: false, none: null, empty: '', list: [], zero: 0 },
      LABEL,
    );
    object.text('id');
    expect(unread(object)).toEqual(['Client web: description', 'Client web: lifetime', 'Client web: isOn']);
  });

  it('also a member that was asked for as something else than it is', () => {
    const object = new SourceObject(
      { name: 5, lifetime: 'long', uris: ['a', 1], roles: [{ name: 'x' }, 'y'], attributes: 'none' },
      LABEL,
    );
    object.text('name');
    object.number('lifetime');
    object.texts('uris');
    object.objects('roles');
    object.object('attributes').text('x');
    expect(unread(object)).toEqual(
      ['name', 'lifetime', 'uris', 'roles', 'attributes'].map((member) => `Client web: ${member}`),
    );
  });

  it('and the same for the objects within, by the way to them or by a label of their own', () => {
    const object = new SourceObject(
      {
        config: { a: 1, b: 2 },
        attributes: { c: 3 },
        embedded: '{"d":4}',
        mappers: [{ e: 5 }],
        roles: [{ name: 'reader', f: 6 }],
      },
      LABEL,
    );
    expect(object.object('config').number('a')).toBe(1);
    object.object('attributes', 'Client attribute');
    object.embedded('embedded');
    object.objects('mappers');
    object.objects('roles', { what: 'Role', nameIn: 'name', within: 'web:' })[0]!.text('name');
    expect(unread(object)).toEqual([
      'Client web: config.b',
      'Client attribute web: c',
      'Client web: embedded.d',
      'Client web: mappers.e',
      'Role web:reader: f',
    ]);
  });

  it('except those that are ignored, and objects that are reported as a whole', () => {
    const object = new SourceObject({ createdTimestamp: 1, credentials: [{ type: 'webauthn', data: 'x' }] }, LABEL);
    object.ignore('createdTimestamp');
    object.objects('credentials')[0]!.skip();
    expect(unread(object)).toEqual([]);
  });
});
