import { describe, expect, it } from '@jest/globals';
import type { EventListener } from './event-listener.js';
import { unknownTypes } from './unknown-types.js';

const PUBLIC = ['org.added', 'user.human.added', 'user.removed', 'ext.crm.lead.won'];

const listening = (...types: string[]) => {
  const part: EventListener = { name: 'provision', types, since: 'now', handle: async () => undefined };
  return [{ extension: 'hr', name: 'Provision', part }];
};

describe('A type that a listener names', () => {
  it('is not told if it is public', () => {
    expect(unknownTypes(listening(...PUBLIC), PUBLIC)).toEqual([]);
  });

  it('is told with the nearest public one if it is not, each of them', () => {
    expect(unknownTypes(listening('user.human.addded', 'org.added', 'user.deleted'), PUBLIC)).toEqual([
      'The listener Provision of the extension hr names the event type user.human.addded, which is not public: it can change at any time, ' +
        'or may never happen. The nearest public type is user.human.added (docs/events.md).',
      expect.stringMatching(/user\.deleted, .* is user\.removed \(/),
    ]);
  });

  it('is told if it is one of an extension that no loaded extension declares', () => {
    expect(unknownTypes(listening('ext.crm.lead.wom', 'ext.crm.lead.won'), PUBLIC)).toEqual([
      expect.stringMatching(/ext\.crm\.lead\.wom, .* is ext\.crm\.lead\.won \(/),
    ]);
  });
});
