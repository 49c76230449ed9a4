import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { directoryKindContract } from '../../../src/extension/testing/contract/directory-kind.contract.js';
import type { DirectoryKindContractInput } from '../../../src/extension/testing/contract/directory-kind-stage.js';
import { Timeouts } from '../../../src/foundation/time/timeouts.js';
import { LineDirectory } from '../../support/line-directory.js';
import { startWorld } from '../../support/world.js';
import { LineKind, line, SERVICE_PASSWORD } from '../line-kind.js';
import { brokenIn } from './broken.js';

const directory = await LineDirectory.start();
/** One requirement waits for the end of a directory that is silent. */
const timeouts = new Timeouts(2_000, 2_000);
const world = await startWorld({
  extensions: [line],
  env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
  loginLimits: 'on',
  timeouts,
});
afterAll(async () => {
  await world.close();
  await directory.close();
});

const input: DirectoryKindContractInput = {
  kind: 'ext:line',
  settings: { host: '127.0.0.1', port: directory.port, servicePassword: SERVICE_PASSWORD },
  secrets: [SERVICE_PASSWORD],
  add: (person) => directory.add(person),
  rename: (loginName, to) => directory.rename(loginName, to),
  disable: (loginName) => directory.disable(loginName),
  misbehave: (how) => {
    directory.misdeed = how;
  },
  connections: () => directory.connections,
};

describe('A directory of lines keeps the contract', () => {
  for (const { name, run } of directoryKindContract(world, input)) it(name, run);
});

describe('The contract tells what is wrong with a kind', () => {
  afterEach(() => {
    LineKind.does = {};
  });

  it.each<[string, typeof LineKind.does, RegExp, RegExp]>([
    [
      'knows people by their names',
      { identity: ({ loginName }) => ({ subject: loginName, email: `${loginName}@mail.test`, emailVerified: true }) },
      /somebody new/,
      /^Who is signed in under a new name is ".*" instead of ".*"\.$/,
    ],
    [
      'knows all people alike',
      { identity: () => ({ subject: 'somebody', email: 'somebody@mail.test', emailVerified: true }) },
      /somebody new/,
      /^LineKind takes two people of the directory for one\.$/,
    ],
    [
      'lets everybody in',
      {
        check: async ({ loginName }) => ({ subject: loginName, email: `${loginName}@mail.test`, emailVerified: true }),
      },
      /a wrong password/,
      /^With a wrong password, the status of the page is 302 instead of 400\.$/,
    ],
    [
      'takes a directory that hangs up for one that knows nobody',
      { check: async () => undefined },
      /closed connections/,
      /^With closed connections of the directory, the status of the page is 400 instead of 502\.$/,
    ],
    [
      'calls the directory around Gatehouse',
      { connect: async (target) => connect(target) },
      /through Gatehouse alone/,
      /^Past the rules for outgoing connections, the number of connections by LineKind is 1 instead of 0\.$/,
    ],
  ])('that %s', async (_, does, only, message) => {
    LineKind.does = does;
    const found = await brokenIn(directoryKindContract(world, input), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });
});
