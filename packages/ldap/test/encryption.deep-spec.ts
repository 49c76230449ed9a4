import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { World } from 'gatehouse/testing';
import { LdapStage, settingsAt, startLdapWorld } from './support/ldap-stage.js';
import { LdapStandIn, result } from './support/ldap-stand-in.js';

interface Issued {
  readonly key: string;
  readonly cert: string;
}

const folder = mkdtempSync(join(tmpdir(), 'ldap-certificates-'));
const openssl = (...given: string[]): void => {
  execFileSync('openssl', given, { cwd: folder, stdio: 'ignore' });
};
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A certificate of our authority for an address, for so many days. */
function issue(name: string, address: string, validity: readonly string[]): Issued {
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    `/CN=${name}`,
  );
  const more = ['-copy_extensions', 'none'];
  execFileSync('sh', ['-c', `printf 'subjectAltName=IP:${address}\n' > ${name}.ext`], { cwd: folder });
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-extfile',
    `${name}.ext`,
    '-out',
    `${name}.pem`,
    ...more,
    ...validity,
  );
  return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
}

let world: World;
let stage: LdapStage;
let rootCa: string;
let right: Issued;
let elsewhere: Issued;
let expired: Issued;
const started: LdapStandIn[] = [];

beforeAll(async () => {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Our authority',
    '-days',
    '30',
  );
  rootCa = read('ca.pem');
  right = issue('right', '127.0.0.1', ['-days', '30']);
  elsewhere = issue('elsewhere', '127.0.0.2', ['-days', '30']);
  expired = issue('expired', '127.0.0.1', ['-days', '-1']);
  world = await startLdapWorld();
  stage = await LdapStage.set(world);
}, 60_000);
afterAll(async () => {
  await world.close();
  for (const standIn of started) await standIn.close();
  rmSync(folder, { recursive: true });
});

async function standInWith(issued: Issued | undefined, isLdaps: boolean): Promise<LdapStandIn> {
  const standIn = await LdapStandIn.start(issued, { isLdaps });
  standIn.add('anna', 'right');
  started.push(standIn);
  return standIn;
}

describe.each([
  ['ldaps', true],
  ['StartTLS', false],
] as const)('LDP-004 With %s', (_, isLdaps) => {
  const settings = ({ port }: LdapStandIn, over: object = {}): object =>
    settingsAt(port, {
      servers: [`ldap${isLdaps ? 's' : ''}://127.0.0.1:${port}`],
      startTls: !isLdaps,
      rootCa,
      ...over,
    });

  it('people sign in, and no password is sent in clear', async () => {
    const standIn = await standInWith(right, isLdaps);
    const { id, parts } = await stage.add(settings(standIn));
    expect(parts[1]).toMatchObject({ ok: true });
    expect(await stage.try(id, 'anna', 'right')).toMatch(/^\d+$/);
    expect(await stage.try(id, 'anna', 'wrong')).toMatch(/^400/);
    expect(standIn.binds.every(({ isEncrypted }) => isEncrypted)).toBe(true);
  });

  it.each<[string, () => Issued, object, RegExp]>([
    ['of another name', () => elsewhere, {}, /ERR_TLS_CERT_ALTNAME_INVALID/],
    ['that has expired', () => expired, {}, /CERT_HAS_EXPIRED/],
    ['of an authority that nobody named', () => right, { rootCa: '' }, /UNABLE_TO/],
  ])('a certificate %s is refused before anything is sent', async (_name, issued, over, reason) => {
    const standIn = await standInWith(issued(), isLdaps);
    const { id, parts } = await stage.add(settings(standIn, over));
    expect(parts[1]!.detail).toMatch(reason);
    await stage.admin.call('POST', `/admin/v1/idps/${id}/_reactivate`, {});
    await world.changesToArrive();
    const from = world.logText().length;
    expect(await stage.try(id, 'anna', 'right')).toBe('502');
    expect(world.logText().slice(from)).toMatch(reason);
    expect(standIn.binds).toEqual([]);
  });
});

describe('LDP-004 A server that does not start TLS', () => {
  it('is sent nothing in clear', async () => {
    const standIn = await standInWith(undefined, false);
    const { parts } = await stage.add(settingsAt(standIn.port, { startTls: true, rootCa }));
    expect(parts[1]!.detail).toMatch(/does not start TLS: result code 2/);
    expect(standIn.binds).toEqual([]);
  });

  it('cannot prepare an answer in clear that is taken for one of TLS', async () => {
    const standIn = await standInWith(right, false);
    standIn.onStartTls = (socket, id) => {
      // Success, and the beginning of a successful bind whose text would swallow the real answer.
      const prepared = result(id + 1, 0x61, 0, 'x'.repeat(40));
      socket.write(Buffer.concat([result(id, 0x78, 0, ''), prepared.subarray(0, 20)]));
      return true;
    };
    const { parts } = await stage.add(settingsAt(standIn.port, { startTls: true, rootCa, bindPassword: 'wrong-one' }));
    expect(parts[1]).toMatchObject({ ok: false });
  });
});
