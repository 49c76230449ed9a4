import { afterAll, describe, it } from '@jest/globals';
import { type DirectoryKindContractInput, directoryKindContract, extensionContract } from 'gatehouse/testing';
import ldap from '../src/ldap.extension.js';
import { settingsAt, startLdapWorld } from './support/ldap-stage.js';
import { BASE, LdapStandIn, SERVICE } from './support/ldap-stand-in.js';

const directory = await LdapStandIn.start();
const world = await startLdapWorld();
afterAll(async () => {
  await world.close();
  await directory.close();
});

const input: DirectoryKindContractInput = {
  kind: 'ext:ldap',
  settings: settingsAt(directory.port),
  secrets: [SERVICE.password],
  add: ({ loginName, password, email }) => {
    directory.add(loginName, password, { mail: [email] });
  },
  rename: (loginName, to) => {
    const entry = directory.find(loginName);
    Object.assign(entry, { dn: `uid=${to},${BASE}` });
    Object.assign(entry.attributes, { uid: [to] });
  },
  disable: (loginName) => {
    Object.assign(directory.find(loginName).attributes, { userAccountControl: ['514'] });
  },
  misbehave: (how) => {
    directory.onConnection =
      how === 'closed connections'
        ? (socket) => socket.destroy()
        : how === 'noise'
          ? (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
          : undefined;
    directory.onSearch = how === 'silence' ? () => undefined : undefined;
  },
  connections: () => directory.connections,
};

describe('LDAP keeps the contract of directories', () => {
  for (const { name, run } of directoryKindContract(world, input)) it(name, run, 30_000);
});

describe('LDAP keeps the contract of extensions', () => {
  for (const { name, run } of extensionContract(world, ldap)) it(name, run, 30_000);
});
