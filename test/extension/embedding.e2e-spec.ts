import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, type INestApplication, Inject, Injectable, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import express from 'express';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { Organizations } from '../../src/extension/facade/organizations.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { createGatehouse } from '../../src/process/start/gatehouse.js';
import type { Gatehouse } from '../../src/process/start/gatehouse-options.js';
import { Browser } from '../support/browser.js';
import { type TestDatabase, workerDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';

/** An entity of the team, in the schema of its extension. */
@Entity({ schema: 'ext_shop', name: 'shop_order' })
class Order {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'org_id' })
  orgId!: string;
}

@Injectable()
class Orders {
  constructor(
    @InjectRepository(Order) readonly rows: Repository<Order>,
    private readonly database: Database,
  ) {}

  /** Keeps the order, unless it fails afterwards. */
  async take(order: Order, fails = false): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.of(this.rows).insert(order);
      if (fails) throw new Error('out of stock');
    });
  }
}

@Module({ imports: [GatehouseServices, TypeOrmModule.forFeature([Order])], providers: [Orders] })
class ShopExtensionModule {}

const shop = defineExtension({
  id: 'shop',
  version: '1.0.0',
  gatehouse: '*',
  module: ShopExtensionModule,
  schemaChanges: [
    {
      name: '1-order',
      up: `CREATE TABLE shop_order (id text PRIMARY KEY, org_id text NOT NULL REFERENCES org (id) ON DELETE CASCADE);
        CREATE INDEX shop_order_org ON shop_order (org_id)`,
    },
  ],
});

@Controller()
class ShopController {
  constructor(@Inject(Organizations) private readonly orgs: Organizations) {}

  @Get('shops/:orgId')
  async find(@Param('orgId') orgId: string): Promise<unknown> {
    return (await this.orgs.find(orgId)) ?? null;
  }

  @Post('shops')
  echo(@Body() body: unknown): unknown {
    return body;
  }

  @Get('.well-known/security.txt')
  contact(): string {
    return 'Contact: mailto:security@acme.example';
  }
}

let database: TestDatabase;
let folder: string;
let origin: string;
let gatehouse: Gatehouse;
let app: INestApplication;
let firstRun: Record<string, string>;

beforeAll(async () => {
  [database, folder] = [await workerDatabase(), await mkdtemp(join(tmpdir(), 'embedding-'))];
  const port = await freePort();
  origin = `http://localhost:${port}`;
  gatehouse = await createGatehouse({
    extensions: [shop],
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      DEMO_PORT: 'off',
      LOG_LEVEL: 'silent',
      PUBLIC_URL: origin,
    },
  });
  @Module({ imports: [GatehouseServices.of(gatehouse)], controllers: [ShopController] })
  class TeamModule {}
  app = await NestFactory.create(TeamModule, { logger: false });
  app.use(gatehouse.handler);
  await app.listen(port, '127.0.0.1');
  firstRun = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8')) as Record<string, string>;
});

afterAll(async () => {
  await app.close();
  await gatehouse.stop();
  await database.release();
  await rm(folder, { recursive: true });
});

describe('In a Nest application of the team, on one port,', () => {
  it('Gatehouse answers at its paths, with its headers, and the application at all others', async () => {
    const discovery = await fetch(`${origin}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({ issuer: origin });
    expect(discovery.headers.get('x-powered-by')).toBeNull();
    const page = await fetch(`${origin}/ui/login/loginname`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(`${origin}/oauth/v2/nothing`)).status).toBe(404);
    expect(await (await fetch(`${origin}/.well-known/security.txt`)).text()).toContain('acme.example');
    expect((await fetch(`${origin}/`)).status).toBe(404);
    const sent = await fetch(`${origin}/shops`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await sent.json()).toEqual({ a: 1 });
  });

  it('users sign in, and the administrative API reads bodies', async () => {
    const browser = new Browser({ issuer: origin, origin, plant: () => undefined });
    const { page } = await browser.get('/ui/account');
    const atPassword = await browser.submit(page!, { loginName: firstRun['adminLoginName']! });
    let arrival = await browser.submit(atPassword.page!, { password: firstRun['adminPassword']! });
    if (arrival.page?.find('button[name="factor"]')) arrival = await browser.submit(arrival.page, { factor: 'skip' });
    expect(arrival.page?.text).toContain(firstRun['adminLoginName']!);
    const token = (await readFile(join(folder, 'admin.pat'), 'utf8')).trim();
    const added = await fetch(`${origin}/management/v1/projects`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"name":"Shop"}',
    });
    expect(await added.json()).toHaveProperty('id');
  });

  it('modules of the team inject the services of Gatehouse', async () => {
    const { orgId } = await anOrg();
    const found = await fetch(`${origin}/shops/${orgId}`);
    expect(await found.json()).toMatchObject({ id: orgId });
  });

  it('entities of the team take part in its transactions', async () => {
    const { orgId } = await anOrg();
    const orders = gatehouse.app.get(Orders, { strict: false });
    await orders.take({ id: 'kept', orgId });
    await expect(orders.take({ id: 'lost', orgId }, true)).rejects.toThrow('out of stock');
    expect(await orders.rows.find()).toEqual([{ id: 'kept', orgId }]);
  });
});

async function anOrg(): Promise<{ readonly orgId: string }> {
  const token = (await readFile(join(folder, 'admin.pat'), 'utf8')).trim();
  const mine = await fetch(`${origin}/management/v1/orgs/me`, { headers: { Authorization: `Bearer ${token}` } });
  return { orgId: ((await mine.json()) as { org: { id: string } }).org.id };
}

describe('The handler', () => {
  it('answers at a plain server of Node, unknown paths included', async () => {
    await served(createServer(gatehouse.handler), async (at) => {
      expect((await fetch(`${at}/oauth/v2/keys`)).status).toBe(200);
      expect((await fetch(`${at}/nothing`)).status).toBe(404);
    });
  });

  it.each<[string, (team: express.Express) => void, string]>([
    ['below a path', (team) => team.use('/auth', gatehouse.handler), '/auth/oauth/v2/token'],
    [
      'behind a reader of bodies',
      (team) => team.use(express.urlencoded({ extended: false })).use(gatehouse.handler),
      '/oauth/v2/token',
    ],
  ])('says what is wrong if it stands %s', async (_, place, path) => {
    const team = express();
    place(team);
    const said: Error[] = [];
    team.use((error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      said.push(error);
      response.status(500).end();
    });
    await served(createServer(team), async (at) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      expect((await fetch(`${at}${path}`, { method: 'POST', body })).status).toBe(500);
    });
    expect(said.map(({ message }) => message).join()).toMatch(/put it at the root|before all readers of bodies/i);
  });
});

async function served(server: Server, work: (origin: string) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
