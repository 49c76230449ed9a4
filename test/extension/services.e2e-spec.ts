import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { ExtCalls } from '../../src/admin/kit/ext-calls.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { Log } from '../../src/extension/facade/log.js';
import { Organizations } from '../../src/extension/facade/organizations.js';
import { Outbound } from '../../src/extension/facade/outbound.js';
import { Vault } from '../../src/extension/facade/vault.js';
import { Secret } from '../../src/foundation/config/secret.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { asExtension } from '../../src/foundation/log/running-extension.js';
import { CODE_HOST_CLIENT, CodeHost } from '../support/code-host.js';
import { startWorld, type World } from '../support/world.js';

@Injectable()
class Desk {
  constructor(
    readonly log: Log,
    readonly organizations: Organizations,
    readonly outbound: Outbound,
    readonly vault: Vault,
  ) {}
}

@Module({ imports: [GatehouseServices], providers: [Desk] })
class DeskModule {}

const desk = defineExtension({ id: 'desk', version: '1.0.0', gatehouse: '>=0.1.0', module: DeskModule });

let world: World;
let host: CodeHost;
let own: Desk;
beforeAll(async () => {
  host = await CodeHost.start();
  world = await startWorld({ extensions: [desk], env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  own = world.get(Desk);
});
afterAll(async () => {
  await world.close();
  await host.close();
});

describe('An extension that injects', () => {
  it('Organizations finds active ones', async () => {
    const org = await world.add.org('found.test', 'Found');
    expect(await own.organizations.find(org.id)).toEqual({ id: org.id, name: 'Found', primaryDomain: 'found.test' });
    await world.rows(`UPDATE org SET state = 'inactive' WHERE id = $1`, [org.id]);
    expect(await own.organizations.find(org.id)).toBeUndefined();
    expect(await own.organizations.find('0')).toBeUndefined();
  });

  it('Outbound calls what the operator allows, and nothing else', async () => {
    const url = `${host.base}/login/oauth/access_token`;
    const answer = await own.outbound.send({ url, form: { client_id: CODE_HOST_CLIENT } });
    expect([answer.status, answer.json()]).toEqual([200, { error: 'incorrect_client_credentials' }]);
    await expect(own.outbound.send({ url: 'http://10.0.0.1/' })).rejects.toMatchObject({
      reason: expect.stringMatching(/^outbound\./),
    });
    await expect(own.outbound.send({ url }, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  it('Log writes lines that name it while its operation runs', async () => {
    const operation = { owner: 'desk', operation: 'GetDesk' };
    await world.get(ExtCalls).run(operation, async () => own.log.warn({ reason: 'desk.full' }, 'there is no desk'));
    expect(world.logText()).toMatch(/"extension":"desk","reason":"desk\.full"/);
  });

  describe('Vault', () => {
    const place = { table: 'ext_desk.token', column: 'secret', row: '7' };

    it('seals secrets, which open at their place alone', () => {
      const sealed = own.vault.seal(new Secret('a key of the desk'), place);
      expect(sealed).not.toContain('desk');
      expect(own.vault.open(sealed, place).reveal()).toBe('a key of the desk');
      expect(own.vault.isCurrent(sealed)).toBe(true);
      for (const moved of [
        { row: '8' },
        { column: 'other' },
        { table: 'ext_desk.other' },
        { table: 'ext_other.token' },
      ])
        expect(() => own.vault.open(sealed, { ...place, ...moved })).toThrow('A stored secret cannot be read.');
    });

    it.each(['signing_key', 'public.idp', 'ext_desk', 'ext_desk.Token', 'EXT_desk.token', ''])(
      'opens nothing of the product: %j is no table of an extension',
      (table) => {
        expect(() => own.vault.open('v1.x.y', { ...place, table })).toThrow('is no table of the extension');
        expect(() => own.vault.seal(new Secret('x'), { ...place, table })).toThrow('is no table of the extension');
      },
    );

    it('opens nothing of another extension while its own runs', () => {
      const sealed = own.vault.seal(new Secret('x'), place);
      expect(() => asExtension('other', () => own.vault.open(sealed, place))).toThrow('is no table of the extension');
      expect(asExtension('desk', () => own.vault.open(sealed, place)).reveal()).toBe('x');
    });
  });
});
