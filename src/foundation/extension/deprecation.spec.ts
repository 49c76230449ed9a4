import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { EnvironmentReader } from '../config/environment.js';
import { EVENT_LISTENER, type EventListener } from '../event/event-listener.js';
import type { Deprecation } from './deprecation.js';
import { defineExtension } from './extension.js';
import { ExtensionLoad } from './extension-load.js';
import { provide } from './seam.js';

@Injectable()
class Provision implements EventListener {
  readonly name = 'provision';
  readonly types = [];
  readonly since = 'now';
  async handle(): Promise<void> {}
}

@Module({ providers: [Provision] })
class HrModule {}

const base = { version: '1.2.0', gatehouse: '>=0.1.0', module: HrModule };
const hr = defineExtension({ ...base, id: 'hr', provides: [provide(EVENT_LISTENER, Provision)] });
const other = defineExtension({ ...base, id: 'other' });

const LISTENERS: Deprecation = {
  member: 'EVENT_LISTENER',
  since: '1.4.0',
  goesIn: '2.0.0',
  remedy: 'Fill LISTENER instead.',
  isUsedBy: ({ provides }) => provides.some(({ seam }) => seam.name === 'EVENT_LISTENER'),
};
const SENTENCE =
  'The extension hr 1.2.0 uses EVENT_LISTENER, which is deprecated since 1.4.0 and goes away in 2.0.0. Fill LISTENER instead.';

const load = () => ExtensionLoad.of([hr, other], '1.4.0', undefined, [LISTENERS]);
const reader = () => new EnvironmentReader({}, () => '');

describe('An extension that uses what goes away', () => {
  it('is named with the member, the version without it, and the remedy', async () => {
    expect((await load()).deprecated).toEqual([SENTENCE]);
  });

  it('is no mistake, unless the settings say so', async () => {
    const [lenient, strict] = [reader(), reader()];
    (await load()).read(lenient);
    expect(lenient.mistakes).toEqual([]);
    (await load()).read(strict, 'error');
    expect(strict.mistakes).toEqual([SENTENCE]);
  });

  it('is one that uses it: others are not named', async () => {
    expect((await ExtensionLoad.of([other], '1.4.0', undefined, [LISTENERS])).deprecated).toEqual([]);
  });
});
