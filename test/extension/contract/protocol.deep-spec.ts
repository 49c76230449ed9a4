import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  type ProtocolContractInput,
  protocolContract,
} from '../../../src/extension/testing/contract/protocol.contract.js';
import { answerOf } from '../../../src/extension/testing/relying-party.js';
import { callerWith } from '../../support/admin-api.js';
import { startWorld } from '../../support/world.js';
import { DESK, DeskProtocol, desk } from '../desk-sign-in.js';
import { brokenIn } from './broken.js';

const world = await startWorld({ extensions: [desk] });
const org = await world.add.org();
const owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
const projectId = await world.add.project({ orgId: org.id });
const added = await owner.ask('POST', `/desk/${projectId}/applications`, { name: 'Desk' });
const { id: applicationId } = added.json<{ id: string }>();

const input: ProtocolContractInput = {
  protocol: 'desk',
  applicationId,
  begin: (silently) => `/desk/sign-in/${applicationId}${silently ? '?prompt=none' : ''}`,
  read: ({ redirect }) => answerOf(redirect ?? '')['user'],
};

afterEach(() => {
  DeskProtocol.instead = undefined;
});
afterAll(() => world.close());

describe('A protocol keeps the contract', () => {
  for (const { name, run } of protocolContract(() => world, input)) it(name, run);
});

describe('The contract tells what is wrong with a protocol', () => {
  it.each<[string, string, RegExp, RegExp]>([
    [
      'tells of somebody else',
      'user=mallory',
      /told who/,
      /^After the sign-in, DeskProtocol tells the application "mallory" instead of /,
    ],
    [
      'tells of somebody where nobody has signed in',
      'user=mallory',
      /without a page/,
      /^Without a session, what DeskProtocol tells the application is "mallory" instead of undefined\.$/,
    ],
    [
      'takes a user who went back for one who signed in',
      'user=mallory',
      /went back/,
      /^After the user went back, what DeskProtocol tells the application is "mallory" instead of undefined\.$/,
    ],
  ])('that %s', async (_, says, only, message) => {
    DeskProtocol.instead = async (response) => {
      response.statusCode = 303;
      response.setHeader('Location', `${DESK}?${says}`);
      response.end();
    };
    const found = await brokenIn(protocolContract(world, input), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that is not loaded', async () => {
    const found = await brokenIn(protocolContract(world, { ...input, protocol: 'other' }), /without a page/);
    expect(Object.values(found)).toEqual(['No extension of this world fills PROTOCOL with the name other.']);
  });
});
