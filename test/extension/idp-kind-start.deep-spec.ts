import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Flag, Moment } from '../../src/admin/kit/wire/fields.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { ExtKinds } from '../../src/idp/ext-kinds.js';
import { IDP_KIND, type IdpKind } from '../../src/idp/idp-kind.js';
import { startWorld, type World } from '../support/world.js';
import { base, HostKind, host } from './code-host-world.js';

let world: World;

beforeAll(async () => {
  world = await startWorld({ extensions: [host] });
});
afterAll(() => world.close());

describe('A start with a kind', () => {
  const kindOf = (extension: string, over: Partial<IdpKind>) => ({
    extension,
    name: 'Kind',
    part: Object.assign(new HostKind(), over) as unknown as IdpKind,
  });

  it.each([
    'oidc',
    'jwt',
    'ext:other',
    'ext:hos',
    'ext:host ',
    'ext:hostile',
    'ext:host-',
    'ext:host-A',
    'ext:host/x',
    '',
  ])('is refused if the kind is %j', (kind) => {
    expect(IDP_KIND.mistakes([kindOf('host', { kind })])).toEqual([
      `Kind of the extension host has the kind "${kind}". It must be ext:host, or begin with ext:host- and continue with lower-case letters and digits.`,
    ]);
  });

  it.each(['ext:host', 'ext:host-enterprise', 'ext:host-2'])('takes the kind %s', (kind) => {
    expect(IDP_KIND.mistakes([kindOf('host', { kind })])).toEqual([]);
  });

  it('is refused if two extensions have one kind', () => {
    expect(IDP_KIND.mistakes([kindOf('host', {}), kindOf('host', {})])).toEqual([
      'Several classes are the identity provider kind ext:host. Give each its own.',
    ]);
  });

  it('is refused if it has no settings, or settings that no form has', () => {
    expect(IDP_KIND.mistakes([kindOf('host', { settings: undefined as never })])).toEqual([
      expect.stringContaining('Kind of the extension host needs settings'),
    ]);
    class Odd {
      @Moment(1) readonly since?: Date;
      @Flag(2, { writeOnly: true }) readonly isHidden!: boolean;
    }
    const kinds = new ExtKinds([kindOf('host', { settings: Odd })], [], world.get(ExtKinds)['settings']);
    expect(kinds.mistakes()).toEqual([
      'The settings of Kind of the extension host have the field since, which is none of Text, Texts, Flag and Count. Declare it as one.',
      'The settings of Kind of the extension host have the secret isHidden, which is no text. Declare it as Text.',
    ]);
  });

  it.each([
    ['<svg viewBox="0 0 8 8"><script/></svg>', 'has the element script'],
    ['<svg viewBox="0 0 8 8"><use href="https://a.example/#a"/></svg>', 'has the element use'],
    ['https://a.example/mark.svg', 'is not plain SVG at character 1'],
    [7 as never, 'is not plain SVG at character 1'],
  ])('is refused with the mark %j [IDP-048]', (mark, problem) => {
    expect(IDP_KIND.mistakes([kindOf('host', { mark })])).toEqual([
      `The mark of Kind of the extension host ${problem}. Draw it with shapes alone, in a viewBox of its own.`,
    ]);
  });

  it('is refused if it neither redeems codes nor reads messages, or both [IDP-051]', () => {
    const message = { state: 'RelayState', fields: ['Message'], maxBytes: 1_000 };
    const readMessage = async () => undefined;
    const mistakes = (over: Partial<IdpKind>) => IDP_KIND.mistakes([kindOf('host', over)]);
    const none = { redeem: undefined, formFields: undefined } as object;
    expect(mistakes({ ...none, message, readMessage })).toEqual([]);
    const wrong = [
      none,
      { message, readMessage },
      { ...none, message },
      { ...none, readMessage },
      { redeem: undefined, message, readMessage },
    ];
    for (const over of wrong) expect(mistakes(over)).toEqual([expect.stringContaining('must have either redeem')]);
    const forms = [
      { fields: [] },
      { fields: ['RelayState'] },
      { fields: ['a b'] },
      { fields: 'Message' },
      { state: '' },
      { maxBytes: 0 },
      { maxBytes: 524_289 },
    ];
    for (const over of forms)
      expect(mistakes({ ...none, readMessage, message: { ...message, ...over } as never })).toEqual([
        expect.stringContaining('The message of Kind of the extension host must have a state'),
      ]);
  });

  it.each([[['code']], [['a', 'b', 'c', 'd', 'e']], [['User']], [['']], ['user' as never], [[7 as never]]])(
    'is refused if it reads %j of a form [IDP-047]',
    (formFields) => {
      expect(IDP_KIND.mistakes([kindOf('host', { formFields })])).toEqual([
        'The formFields of Kind of the extension host must be at most 4 names of lower-case letters, digits and _, and none of code, state, iss, error.',
      ]);
    },
  );

  it('is refused with all of it, before anything listens', async () => {
    @Injectable()
    class Thief extends HostKind {
      override readonly kind = 'oidc' as never;
    }
    @Module({ providers: [Thief] })
    class ThiefModule {}
    const thief: Extension = defineExtension({
      ...base,
      id: 'thief',
      module: ThiefModule,
      provides: [provide(IDP_KIND, Thief)],
    });
    await expect(startWorld({ replicaOf: world, extensions: [thief] })).rejects.toThrow(
      'Thief of the extension thief has the kind "oidc"',
    );
  });
});
