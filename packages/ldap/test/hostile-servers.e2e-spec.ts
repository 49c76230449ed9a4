import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { World } from 'gatehouse/testing';
import { LdapStage, settingsAt, startLdapWorld } from './support/ldap-stage.js';
import { BASE, entryMessage, LdapStandIn, SERVICE } from './support/ldap-stand-in.js';

let world: World;
let stage: LdapStage;
let directory: LdapStandIn;
let sound: LdapStandIn;
let id: string;
let soundId: string;

beforeAll(async () => {
  world = await startLdapWorld();
  stage = await LdapStage.set(world);
  sound = await LdapStandIn.start();
  soundId = await stage.at(sound);
});
beforeEach(async () => {
  directory = await LdapStandIn.start();
  id = await stage.at(directory);
});
afterEach(() => directory.close());
afterAll(async () => {
  await world.close();
  await sound.close();
});

describe('LDP-005 A server that misbehaves is cut off, and harms nobody else', () => {
  it.each<[string, LdapStandIn['onSearch']]>([
    [
      'a gigabyte',
      (socket, id) => {
        const value = Buffer.alloc(60_000, 'x');
        const message = entryMessage(id, { dn: `uid=a,${BASE}`, attributes: { description: [value] } });
        const more = (): void => {
          while (!socket.destroyed && socket.write(message));
        };
        socket.on('drain', more);
        more();
      },
    ],
    [
      'a message that announces a gigabyte',
      (socket) => {
        const piece = Buffer.alloc(60_000, 'x');
        const more = (): void => {
          while (!socket.destroyed && socket.write(piece));
        };
        socket.on('drain', more);
        socket.write(Buffer.from([0x30, 0x84, 0x3f, 0xff, 0xff, 0xff]));
        more();
      },
    ],
    [
      'ten thousand entries',
      (socket, id, answer) => {
        for (let count = 0; count < 10_000; count += 1)
          socket.write(entryMessage(id, { dn: `uid=${count},${BASE}`, attributes: { uid: ['anna'] } }));
        answer();
      },
    ],
    ['half an answer', (socket) => socket.end(Buffer.from([0x30, 0x20, 0x02]))],
    ['noise in the middle', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a message without sense', (socket) => socket.end(Buffer.from([0x30, 0x03, 0x04, 0x01, 0x41]))],
  ])('%s', async (_, onSearch) => {
    directory.add('anna', 'right');
    directory.onSearch = onSearch;
    const { email, password } = { email: 'otto@mail.test', password: 'right' };
    if (!sound.entries.length) sound.add('otto', password, { mail: [email] });
    const began = performance.now();
    const [found, other] = await Promise.all([stage.try(id, 'anna', 'right'), stage.try(soundId, 'otto', password)]);
    expect([found, other]).toEqual([
      expect.stringMatching(/^(502|400 The login name)/),
      expect.stringMatching(/^\d{10,}$/),
    ]);
    expect(performance.now() - began).toBeLessThan(9_000);
  });

  it('one byte a second is given up after ten seconds', async () => {
    directory.add('anna', 'right');
    directory.onSearch = (socket) => {
      socket.write(Buffer.from([0x30, 0x20]));
      const timer = setInterval(() => socket.write(Buffer.from([0x02])), 1_000);
      socket.on('close', () => clearInterval(timer));
    };
    expect(await stage.try(id, 'anna', 'right')).toBe('502');
    while (directory.openConnections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }, 20_000);

  it('the next server is asked if one is away, and the person at that one as well', async () => {
    directory.add('anna', 'right');
    const two = await stage.add(
      settingsAt(0, { servers: ['ldap://127.0.0.1:1', `ldap://127.0.0.1:${directory.port}`] }),
    );
    expect(two.parts.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await stage.try(two.id, 'anna', 'right')).toMatch(/^\d+$/);
  });
});

describe('LDP-008 What may not be called', () => {
  it.each([
    'ldapi://%2fvar%2frun%2fldapi',
    'http://127.0.0.1',
    'ldap://a@127.0.0.1',
    'ldap://127.0.0.1/dc=acme',
    'ldap://x:0',
  ])('%s is no server', async (server) => {
    expect(
      await stage.admin.verdict('POST', '/admin/v1/idps/extension', {
        name: 'None',
        kind: 'ext:ldap',
        settings: settingsAt(1, { servers: [server] }),
      }),
    ).toBe('400 settings.servers');
  });

  it('a private address that is not listed is not dialled', async () => {
    const { parts } = await stage.add(settingsAt(636, { servers: ['ldaps://10.0.0.1'] }));
    expect(parts[1]!.detail).toMatch(/^10\.0\.0\.1:636 is not contacted: .*OUTBOUND_ALLOW/);
  });

  it('nothing is sent without encryption beyond this machine', async () => {
    const { parts } = await stage.add(settingsAt(389, { servers: ['ldap://198.51.100.7'] }));
    expect(parts[1]!.detail).toBe('ldap://198.51.100.7:389 is not asked without encryption: use ldaps:// or startTls.');
  });

  it('a wrong password of the service account is told', async () => {
    const { parts } = await stage.add(settingsAt(directory.port, { bindPassword: 'wrong-one' }));
    expect(parts[1]!.detail).toBe(
      `ldap://127.0.0.1:${directory.port} does not let ${SERVICE.dn} sign in: result code 49 (InvalidCredentialsError).`,
    );
  });
});
