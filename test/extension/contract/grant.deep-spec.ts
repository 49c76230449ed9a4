import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { type GrantContractInput, grantContract } from '../../../src/extension/testing/contract/grant.contract.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import { type ExtGrant, GRANT, type GrantDecision, type GrantQuestion } from '../../../src/project/client/ext-grant.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

/** Tickets that are used once; `does` breaks it. */
@Injectable()
class TicketGrant implements ExtGrant {
  static does: ((right: () => GrantDecision, question: GrantQuestion) => Promise<GrantDecision>) | undefined;
  static readonly tickets = new Map<string, string>();
  readonly name = 'urn:example:ticket';
  readonly parameters = [
    { name: 'ticket', maxLength: 200 },
    { name: 'gate', optional: true },
  ];
  readonly refreshTokens: boolean = true;
  readonly timeoutMs = 500;

  async decide(question: GrantQuestion): Promise<GrantDecision> {
    const right = (): GrantDecision => redeem(question.parameters['ticket']!);
    return TicketGrant.does ? TicketGrant.does(right, question) : right();
  }
}

function redeem(ticket: string): GrantDecision {
  const userId = TicketGrant.tickets.get(ticket);
  TicketGrant.tickets.delete(ticket);
  return userId === undefined ? { error: 'invalid_grant' } : { userId, amr: ['hwk'] };
}

/** Keys that stay valid, without refresh tokens. */
@Injectable()
class KeyGrant implements ExtGrant {
  readonly name = 'urn:example:key';
  readonly parameters = [{ name: 'key', maxLength: 100 }];

  async decide({ parameters: { key = '' } }: GrantQuestion): Promise<GrantDecision> {
    const userId = /^key-of-(\d+)$/.exec(key)?.[1];
    return userId === undefined ? { error: 'invalid_request' } : { userId };
  }
}

@Module({ providers: [TicketGrant, KeyGrant] })
class TicketModule {}

const tickets = defineExtension({
  id: 'tickets',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: TicketModule,
  provides: [provide(GRANT, TicketGrant), provide(GRANT, KeyGrant)],
});

const world = await startWorld({ extensions: [tickets] });
afterAll(() => world.close());

/** An active user whom nobody has asked about. */
const anyone = await world.add.user();

const ofTickets: GrantContractInput = {
  grant: 'urn:example:ticket',
  once: true,
  parametersOf: ({ id }) => {
    const ticket = randomBytes(12).toString('base64url');
    TicketGrant.tickets.set(ticket, id);
    return { ticket };
  },
  wrong: [{ ticket: 'unknown' }, { gate: 'north' }],
};

describe('A grant of tickets keeps the contract', () => {
  for (const { name, run } of grantContract(world, ofTickets)) it(name, run);
});

describe('A grant of lasting keys keeps the contract', () => {
  const ofKeys: GrantContractInput = {
    grant: 'urn:example:key',
    parametersOf: ({ id }) => ({ key: `key-of-${id}` }),
    wrong: [{ key: 'key-of-nobody' }],
  };
  for (const { name, run } of grantContract(() => world, ofKeys)) it(name, run);
});

describe('The contract tells what is wrong with a grant', () => {
  afterEach(() => {
    TicketGrant.does = undefined;
  });

  it.each<[string, NonNullable<typeof TicketGrant.does>, RegExp, RegExp]>([
    [
      'refuses everybody',
      async () => ({ error: 'invalid_grant' }),
      /tokens of their user/,
      /^TicketGrant answers 400 .*invalid_grant.* to parameters of person-/,
    ],
    [
      'names another user',
      async (right) => ({ ...right(), userId: 'nobody' }),
      /tokens of their user/,
      /^TicketGrant answers 400 /,
    ],
    [
      'makes proofs up',
      async (right) => ({ ...right(), amr: ['magic'] }),
      /tokens of their user/,
      /^TicketGrant answers 503 /,
    ],
    [
      'admits everybody',
      async (_, { parameters }) => ({ userId: TicketGrant.tickets.get(parameters['ticket']!) ?? anyone.id }),
      /wrong parameters/,
      /^TicketGrant gives tokens for the wrong parameters \{"ticket":"unknown"\}\.$/,
    ],
    [
      'throws at what is no ticket',
      async (right, { parameters }) => {
        if (!/^[\w-]+$/.test(parameters['ticket']!)) throw new Error('no ticket');
        return right();
      },
      /odd parameters/,
      /^TicketGrant fails for ticket=.*: refuse it by an error of RFC 6749 §5\.2/,
    ],
    [
      'takes odd parameters for those of somebody',
      async (right, { parameters }) => (parameters['ticket'] === 'null' ? { userId: anyone.id } : right()),
      /odd parameters/,
      /^TicketGrant names "\d+" instead of "\d+" for ticket="null"\.$/,
    ],
    [
      'forgets that a ticket was used',
      async (_, { parameters }) => {
        const userId = TicketGrant.tickets.get(parameters['ticket']!);
        await sleep(5); // time for another request
        return userId === undefined ? { error: 'invalid_grant' } : { userId };
      },
      /gives tokens once/,
      /^How often TicketGrant gives tokens for parameters that were sent 5 times is 5 instead of 1\.$/,
    ],
    [
      'hangs from time to time',
      async (right) => (TicketGrant.tickets.size % 2 === 0 ? new Promise<never>(() => undefined) : right()),
      /same time/,
      /^TicketGrant answers 503 /,
    ],
  ])('that %s', async (_, does, only, message) => {
    TicketGrant.does = does;
    TicketGrant.tickets.clear();
    const found = await brokenIn(grantContract(world, ofTickets), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that mixes up requests at the same time', async () => {
    let last = '';
    TicketGrant.does = async (_, { parameters }) => {
      last = parameters['ticket']!; // a field of the part, in place of a variable of the call
      await sleep(5);
      return { userId: TicketGrant.tickets.get(last) ?? anyone.id };
    };
    const found = await brokenIn(grantContract(world, ofTickets), /same time/);
    expect(Object.values(found)).toEqual([expect.stringMatching(/^TicketGrant names .* instead of /)]);
  });

  it('that is not loaded', async () => {
    const found = await brokenIn(grantContract(world, { ...ofTickets, grant: 'urn:example:none' }), /discovery/);
    expect(Object.values(found)).toEqual([
      'No extension of this world fills GRANT with a grant named urn:example:none.',
    ]);
  });

  it('for which the test gives no wrong parameters', async () => {
    const found = await brokenIn(grantContract(world, { ...ofTickets, wrong: [] }), /discovery/);
    expect(Object.values(found)).toEqual(['Give wrong parameters of TicketGrant, too.']);
  });
});
