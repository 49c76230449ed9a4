import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { World } from 'gatehouse/testing';
import { LdapStage, startLdapWorld } from './support/ldap-stage.js';
import { BASE, LdapStandIn, SERVICE } from './support/ldap-stand-in.js';

const WRONG = '400 The login name or the password is not correct.';
const TOLD = '400 You cannot sign in with this account at the moment. Please ask your administrator.';

let world: World;
let stage: LdapStage;
let directory: LdapStandIn;
let id: string;

beforeAll(async () => {
  world = await startLdapWorld();
  stage = await LdapStage.set(world);
});
beforeEach(async () => {
  world.clock.advance('1h');
  await directory?.close();
  directory = await LdapStandIn.start();
  id = await stage.at(directory);
  directory.connections = 0;
  directory.binds.length = 0;
});
afterAll(async () => {
  await world.close();
  await directory.close();
});

describe('LDP-001 A name is a value, whatever is in it', () => {
  it.each(['*', '*)(uid=*', 'admin)(|(a=b', '\\2a', 'a'.repeat(201), 'adm*', 'admin\\00'])(
    '%s finds nobody',
    async (name) => {
      directory.add('admin', 'right');
      expect(await stage.try(id, name, 'right')).toBe(WRONG);
      for (const values of directory.searched) expect(['person', name.trim()]).toEqual(expect.arrayContaining(values));
    },
  );

  it('finds the one with exactly that name', async () => {
    directory.add('*)(uid=*', 'right', { mail: ['odd@mail.test'] }, `uid=\\2a)(uid=\\2a,${BASE}`);
    directory.add('admin', 'right');
    const sub = await stage.try(id, '*)(uid=*', 'right');
    expect(sub).toMatch(/^\d+$/);
    expect(await stage.try(id, 'admin', 'right')).not.toBe(sub);
  });

  it('never reaches the directory with NUL', async () => {
    expect(await stage.try(id, 'admin\0', 'right')).toMatch(/^400/);
    expect(directory.connections).toBe(0);
  });
});

describe('LDP-002 Only the password of the one entry signs in', () => {
  it.each(['', '\0', '\0right'])('a password such as %j never reaches a bind', async (password) => {
    directory.add('anna', 'right');
    expect(await stage.try(id, 'anna', password)).toMatch(/^400/);
    expect([directory.connections, directory.binds]).toEqual([0, []]);
  });

  it('two entries with one name are refused, whichever password is right', async () => {
    directory.add('anna', 'first');
    directory.add('anna', 'second', {}, `uid=anna,ou=other,${BASE}`);
    expect(await stage.try(id, 'anna', 'first')).toBe(WRONG);
    expect(await stage.try(id, 'anna', 'second')).toBe(WRONG);
    expect(directory.binds.filter(({ dn }) => dn.startsWith('uid='))).toEqual([]);
  });

  it('an unknown name costs the same connections and binds as a wrong password', async () => {
    directory.add('anna', 'right');
    const steps = async (name: string): Promise<number[]> => {
      const [connections, binds] = [directory.connections, directory.binds.length];
      expect(await stage.try(id, name, 'wrong')).toBe(WRONG);
      return [directory.connections - connections, directory.binds.length - binds];
    };
    expect(await steps('nobody')).toEqual(await steps('anna'));
  });

  it('the bind of a person is on a connection of its own, and nothing is searched there', async () => {
    directory.add('anna', 'right');
    expect(await stage.try(id, 'anna', 'right')).toMatch(/^\d+$/);
    expect(directory.binds.slice(-2).map(({ dn }) => dn)).toEqual([SERVICE.dn, `uid=anna,${BASE}`]);
    expect(directory.connections).toBe(2);
  });

  it('an entry whose name is that of a SASL mechanism is nobody', async () => {
    directory.add('anna', 'right', {}, 'EXTERNAL');
    expect(await stage.try(id, 'anna', 'right')).toBe(WRONG);
  });
});

describe('LDP-003 Nobody is found outside of the base', () => {
  it('an entry from elsewhere is not taken, though the server sends it', async () => {
    directory.add('anna', 'right', {}, 'uid=anna,ou=guests,dc=acme,dc=test');
    directory.add('otto', 'right', {}, `uid=otto\\,${BASE.replaceAll(',', '\\,')},dc=evil`);
    expect(await stage.try(id, 'anna', 'right')).toBe(WRONG);
    expect(await stage.try(id, 'otto', 'right')).toBe(WRONG);
  });
});

describe('LDP-006 A person is who has the id', () => {
  it('a new name and another place keep the account', async () => {
    const entry = directory.add('anna', 'right');
    const sub = await stage.try(id, 'anna', 'right');
    Object.assign(entry, { dn: `uid=berta,ou=moved,${BASE}` });
    Object.assign(entry.attributes, { uid: ['berta'], mail: ['berta@mail.test'] });
    expect(await stage.try(id, 'berta', 'right')).toBe(sub);
  });

  it('whoever gets the name of somebody who left gets another account', async () => {
    directory.add('anna', 'right');
    const sub = await stage.try(id, 'anna', 'right');
    directory.entries.length = 0;
    directory.add('anna', 'other', { mail: ['anna2@mail.test'] });
    expect(await stage.try(id, 'anna', 'other')).not.toBe(sub);
  });

  it('several ids, or none, are nobody', async () => {
    directory.add('anna', 'right', { entryUUID: ['1', '2'] });
    directory.add('berta', 'right', { entryUUID: [] });
    expect(await stage.try(id, 'anna', 'right')).toBe('502');
    expect(await stage.try(id, 'berta', 'right')).toBe('502');
  });

  it('objectGUID is kept as bytes', async () => {
    const guid = Buffer.from('00ff80c3000102030405060708090a0b', 'hex');
    directory.add('anna', 'right', { objectGUID: [guid] });
    expect(await stage.try(await stage.at(directory, { idAttribute: 'objectGUID' }), 'anna', 'right')).toMatch(/^\d+$/);
    const links = await world.sql<{ id: string }>`
      SELECT external_user_id AS id FROM idp_link WHERE external_user_id = ${guid.toString('hex')}`;
    expect(links).toHaveLength(1);
  });
});

describe('LDP-007 Guesses', () => {
  it('twenty at one name are ten at the directory, by whatever spelling', async () => {
    directory.add('anna', 'right');
    for (let guess = 0; guess < 20; guess += 1) await stage.try(id, guess % 2 ? 'anna' : ' ANNA', `guess ${guess}`);
    expect(directory.binds.filter(({ dn }) => dn.startsWith('uid=anna'))).toHaveLength(10);
    expect(await stage.try(id, 'anna', 'right')).toMatch(/^429/);
  });
});

describe('What Active Directory says to a bind', () => {
  it.each([
    ['52e', WRONG],
    ['525', WRONG],
    ['775', WRONG],
    ['532', TOLD],
    ['533', TOLD],
    ['701', TOLD],
    ['773', TOLD],
  ])('data %s: %s', async (code, answer) => {
    const text = `80090308: LdapErr: DSID-0C090439, comment: AcceptSecurityContext error, data ${code}, v4563`;
    directory.add('anna', 'right').refusal = { code: 49, text };
    expect(await stage.try(id, 'anna', 'right')).toBe(answer);
  });

  it('a disabled account is refused by its flag as well', async () => {
    directory.add('anna', 'right', { userAccountControl: ['514'] });
    expect(await stage.try(id, 'anna', 'right')).toBe(TOLD);
  });
});
