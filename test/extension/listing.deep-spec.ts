import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { AdminRoutes } from '../../src/extension/facade/admin/admin-routes.js';
import { Operation, Requires } from '../../src/extension/facade/admin/operation.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { EVENT_LISTENER, type EventListener } from '../../src/foundation/event/event-listener.js';
import { defineEvent } from '../../src/foundation/extension/ext-event.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { PAGE_SLOT, type PageSlot } from '../../src/page/part/page-slot.js';
import { type ExtGrant, GRANT, type GrantDecision, type GrantQuestion } from '../../src/project/client/ext-grant.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { freePort } from '../support/free-port.js';
import { sendUnchecked } from '../support/http.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const BADGE = 'urn:example:badge';

/** Fails for one badge; others name their user. */
@Injectable()
class BadgeGrant implements ExtGrant {
  readonly name: string = BADGE;
  readonly parameters = [{ name: 'badge' }];

  async decide({ parameters: { badge } }: GrantQuestion): Promise<GrantDecision> {
    if (badge === 'broken') throw new Error('The reader is broken.');
    return { userId: badge! };
  }
}

@Injectable()
class KioskGrant extends BadgeGrant implements ExtGrant {
  override readonly name = 'urn:example:kiosk';
}

@Injectable()
class Provision implements EventListener {
  readonly name = 'provision';
  readonly types = ['user.human.added'];
  readonly since = 'now';
  async handle(): Promise<void> {}
}

/** Has no name of its own. */
@Injectable()
class Notice implements PageSlot {
  readonly place = 'foot';
  content(): [] {
    return [];
  }
}

class Done {}

@Controller('admin/v1/ext/badge')
class DoorController {
  @Get('door')
  @Requires('ext.badge.door.read')
  @Operation({ id: 'GetDoor', summary: 'Get the door', returns: Done })
  get(): Done {
    throw new Error('The door is gone.');
  }
}

@Module({
  imports: [GatehouseServices, AdminRoutes],
  controllers: [DoorController],
  providers: [BadgeGrant, KioskGrant, Provision, Notice],
})
class BadgeModule {}

@Module({})
class CrmModule {}

const badge = defineExtension({
  id: 'badge',
  version: '1.2.0',
  gatehouse: '>=0.1.0',
  module: BadgeModule,
  provides: [
    provide(GRANT, KioskGrant),
    provide(GRANT, BadgeGrant),
    provide(EVENT_LISTENER, Provision),
    provide(PAGE_SLOT, Notice),
  ],
  schemaChanges: [{ name: '1-door', up: 'CREATE TABLE door (id text PRIMARY KEY)' }],
  events: [
    defineEvent({
      type: 'ext.badge.door.opened',
      level: 'org',
      says: 'A door was opened; `aggregateId` is the door.',
      carries: { userId: 'text', floor: 'number' },
    }),
    defineEvent({ type: 'ext.badge.reader.broken', level: 'instance', says: 'A reader is broken.' }),
  ],
  permissions: [{ name: 'ext.badge.door.read', level: 'instance', heldBy: ['IAM_OWNER_VIEWER'] }],
});
const crm = defineExtension({ id: 'crm', version: '3.0.0', gatehouse: '>=0.1.0', module: CrmModule });

let world: World;
let api: AdminApi;
let metricsOrigin: string;
beforeAll(async () => {
  const port = await freePort();
  metricsOrigin = `http://127.0.0.1:${port}`;
  world = await startWorld({ extensions: [badge, crm], env: { METRICS_PORT: String(port) } });
  api = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER_VIEWER'])).api;
});
afterAll(() => world.close());

const metrics = async (): Promise<string> => (await sendUnchecked(metricsOrigin, { path: '/metrics' })).text;

describe('GET /admin/v1/extensions', () => {
  const seams = (failures: { readonly GRANT?: number; readonly ROUTES?: number } = {}) =>
    [
      { seam: 'EVENT_LISTENER', parts: ['provision'] },
      { seam: 'GRANT', parts: ['urn:example:kiosk', BADGE] },
      { seam: 'PAGE_SLOT', parts: ['Notice'] },
      { seam: 'ROUTES', parts: ['GetDoor'] },
    ].map((one) => ({ ...one, failures: (failures as Record<string, number>)[one.seam] ?? 0 }));
  const list = async () => {
    const { result } = await api.call('GET', '/admin/v1/extensions');
    for (const { seams: found } of result)
      found?.sort((a: { seam: string }, b: { seam: string }) => a.seam.localeCompare(b.seam));
    return result;
  };

  it('lists what is loaded in its order: version, seams with the names of what fills them, schema, and the events that it declares', async () => {
    expect(await list()).toEqual([
      {
        id: 'badge',
        version: '1.2.0',
        schemaVersion: 1,
        seams: seams(),
        events: [
          {
            type: 'ext.badge.door.opened',
            level: 'org',
            says: 'A door was opened; `aggregateId` is the door.',
            carries: ['userId', 'floor'],
          },
          { type: 'ext.badge.reader.broken', level: 'instance', says: 'A reader is broken.', carries: [] },
        ],
      },
      { id: 'crm', version: '3.0.0', schemaVersion: 0, seams: [], events: [] },
    ]);
  });

  it('counts the failures of each seam, and no refusals', async () => {
    const org = await world.cast.orgA;
    const projectId = await world.add.project({ orgId: org.id });
    const party = new RelyingParty(world, await world.add.client({ projectId, extensionGrants: [BADGE] }));
    const { headers, parameters } = await party.credentials();
    const statusFor = async (value: string): Promise<number> =>
      (
        await sendUnchecked(world.origin, {
          method: 'POST',
          path: '/oauth/v2/token',
          headers,
          body: { ...parameters, grant_type: BADGE, badge: value, scope: 'openid' },
        })
      ).status;
    expect([await statusFor('broken'), await statusFor('broken'), await statusFor('nobody')]).toEqual([503, 503, 400]);
    const door = await sendUnchecked(world.origin, { path: '/admin/v1/ext/badge/door', headers: bearer(api.token) });
    expect(door.status).toBe(500);
    expect((await list())[0].seams).toEqual(seams({ GRANT: 2, ROUTES: 1 }));
  });

  it('is empty without extensions', async () => {
    const plain = await startWorld();
    try {
      const caller = await callerWith(plain, await plain.cast.orgA, ['IAM_OWNER_VIEWER']);
      const { result = [], details } = await caller.api.call('GET', '/admin/v1/extensions');
      expect([result, details.totalResult]).toEqual([[], '0']);
    } finally {
      await plain.close();
    }
  });
});

describe('gatehouse_extension_seconds', () => {
  it('measures the calls of each extension and seam, failed ones included, beside their failures', async () => {
    const text = await metrics();
    expect(text).toContain('gatehouse_extension_seconds_count{extension="badge",seam="GRANT"} 3');
    expect(text).toContain('gatehouse_extension_seconds_count{extension="badge",seam="ROUTES"} 1');
    expect(text).toContain('gatehouse_extension_failures_total{extension="badge",seam="GRANT"} 2');
    expect(text).toMatch(/^gatehouse_extension_seconds_bucket\{le="0\.1",extension="badge",seam="GRANT"\} \d/m);
  });

  it('is absent without extensions', async () => {
    const port = await freePort();
    const plain = await startWorld({ env: { METRICS_PORT: String(port) } });
    try {
      const { text } = await sendUnchecked(`http://127.0.0.1:${port}`, { path: '/metrics' });
      expect(text).toContain('gatehouse_extension_failures_total');
      expect(text).not.toContain('gatehouse_extension_seconds');
    } finally {
      await plain.close();
    }
  });
});
