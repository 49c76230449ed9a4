import { afterAll, describe, expect, it } from '@jest/globals';
import { userRuleContract } from '../../../src/extension/testing/contract/user-rule.contract.js';
import { startWorld } from '../../support/world.js';
import { NoX, rules } from '../no-x-rule.js';
import { brokenIn } from './broken.js';

const world = await startWorld({ extensions: [rules] });

afterAll(() => world.close());

describe('A rule about users keeps the contract', () => {
  for (const { name, run } of [
    ...userRuleContract(() => world, { refused: { userName: 'ruled-x' } }),
    ...userRuleContract(() => world, { refused: { email: 'a@refused.test' }, rule: NoX }),
  ])
    it(name, run);
});

describe('The contract tells what is wrong with a rule', () => {
  it('that refuses nobody', async () => {
    const contract = userRuleContract(() => world, { refused: { userName: 'fits' } });
    expect(await brokenIn(contract)).toEqual({
      'who it refuses is not stored, and the answer says why':
        'The rule did not refuse a new user with what `refused` says.',
      'nobody becomes what it refuses by a change':
        'No change was refused. Say refusesChanges: false, if the rule is about new users alone.',
    });
  });

  it('that this world does not have', async () => {
    class Another extends NoX {}
    const contract = userRuleContract(() => world, { refused: {}, rule: Another });
    expect(Object.values(await brokenIn(contract, /others/))).toEqual([
      'No extension of this world fills USER_RULE with a rule about users.',
    ]);
  });
});
