import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  type DynamicModule,
  Get,
  Global,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ApplicationConfig,
  HttpAdapterHost,
  ModuleRef,
} from '@nestjs/core';
import { DataSource, EntityManager } from 'typeorm';
import type { Environment } from '../../src/foundation/config/environment.js';
import { readVersion } from '../../src/foundation/config/version.js';
import { defineExtension, type Extension, type ExtensionManifest } from '../../src/foundation/extension/extension.js';
import { settings } from '../../src/foundation/extension/extension-settings.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { MAIL_TRANSPORT, type MailTransport } from '../../src/mail/transport/mail-transport.js';
import { createGatehouse } from '../../src/process/start/gatehouse.js';
import { CLAIMS, type ClaimsContributor } from '../../src/token/claims/claims-contributor.js';
import { type TestDatabase, workerDatabase } from '../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await workerDatabase();
});
afterAll(() => database.release());

@Module({})
class EmptyModule {}

const extension = (over: Partial<ExtensionManifest> = {}): Extension =>
  defineExtension({ id: 'hr', version: '1.2.0', gatehouse: '>=0.1.0', module: EmptyModule, ...over });

const quiet = (): Environment => ({
  DATABASE_URL: database.url,
  DEMO_PORT: 'off',
  LOG_LEVEL: 'silent',
  PORT: '0',
  PUBLIC_URL: 'http://localhost:3000',
});

/** Why Gatehouse does not start with these. */
async function refusal(extensions: readonly Extension[], env: Environment = {}): Promise<string> {
  try {
    const gatehouse = await createGatehouse({
      extensions,
      env: { ...quiet(), ...env },
    });
    await gatehouse.stop();
    return 'it starts';
  } catch (error) {
    return (error as Error).message;
  }
}

@Injectable()
class Letters implements MailTransport {
  async send(): Promise<void> {}
  close(): void {}
}

@Injectable()
class Pigeons extends Letters {}

@Module({ providers: [Letters, Pigeons] })
class MailsModule {}

class HrSettings {
  constructor(
    readonly url: URL,
    readonly size: number,
  ) {}
}

/** A contributor with these declarations, as an extension of its own. */
function contributing(declared: Partial<ClaimsContributor>, id = 'hr'): Extension {
  @Injectable()
  class Contributor implements ClaimsContributor {
    readonly scopes = declared.scopes ?? [];
    readonly claims = declared.claims ?? ['https://acme.example/a'];
    readonly timeoutMs = declared.timeoutMs ?? 300;
    async contribute(): Promise<Record<string, string>> {
      return {};
    }
  }
  @Module({ providers: [Contributor] })
  class ContributorModule {}
  return extension({ id, module: ContributorModule, provides: [provide(CLAIMS, Contributor)] });
}

describe('A start with an extension', () => {
  it('succeeds if nothing is wrong', async () => {
    expect(await refusal([extension()])).toBe('it starts');
    expect(await refusal([contributing({ scopes: ['hr'] })])).toBe('it starts');
  });

  it('is refused if the extension was made for other versions', async () => {
    expect(await refusal([extension({ gatehouse: '^7.0.0' })])).toContain(
      `The extension hr 1.2.0 was made for gatehouse ^7.0.0, and this is ${readVersion()}. Install a version of it`,
    );
    expect(await refusal([extension({ gatehouse: 'the newest' })])).toContain(
      'which is not a range. Give one such as ^1.4.0.',
    );
  });

  it('is refused if it was not made by defineExtension', async () => {
    expect(await refusal([{ id: 'hr' } as Extension])).toContain(
      'Extension 1 of the list was not made by defineExtension.',
    );
  });

  it.each(['HR', 'h', '1hr', 'hr-x', 'a'.repeat(21)])('is refused if its id is %s', async (id) => {
    expect(await refusal([extension({ id })])).toContain(`"${id}" cannot be the id of an extension.`);
  });

  it.each(['mail', 'gatehouse', 'database', 'log'])('is refused if its id %s is a word of the product', async (id) => {
    expect(await refusal([extension({ id })])).toContain(
      `"${id}" cannot be the id of an extension: it is a word of the product`,
    );
  });

  it('is refused if two have the same id', async () => {
    expect(await refusal([extension(), extension()])).toContain(
      'Several extensions have the id hr. Load only one of them.',
    );
  });

  it('is refused if two want a seam with one seat', async () => {
    const letters = extension({ id: 'letters', module: MailsModule, provides: [provide(MAIL_TRANSPORT, Letters)] });
    const pigeons = extension({ id: 'pigeons', module: MailsModule, provides: [provide(MAIL_TRANSPORT, Pigeons)] });
    expect(await refusal([letters, pigeons])).toContain(
      'MAIL_TRANSPORT has one seat, and Letters and Pigeons both want it.',
    );
    expect(await refusal([letters])).toBe('it starts');
  });

  it('is refused if a part is not a provider of its module', async () => {
    expect(await refusal([extension({ provides: [provide(MAIL_TRANSPORT, Letters)] })])).toContain(
      'The extension hr fills MAIL_TRANSPORT with Letters, which is not among the providers of its module. Add it there.',
    );
  });

  it.each([APP_GUARD, APP_FILTER, APP_INTERCEPTOR, APP_PIPE])('is refused if its module provides %s', async (token) => {
    @Module({ providers: [{ provide: token, useValue: {} }] })
    class InnerModule {}
    @Module({ imports: [InnerModule] })
    class OuterModule {}
    expect(await refusal([extension({ module: OuterModule })])).toContain(
      `The extension hr provides ${token} in InnerModule. It would apply to every route of the product. Remove it.`,
    );
  });

  it.each<new (...given: never[]) => unknown>([ApplicationConfig, HttpAdapterHost, DataSource, EntityManager])(
    'is refused if one of its classes injects %p',
    async (reaching) => {
      @Injectable()
      class ByConstructor {
        constructor(@Inject(reaching) readonly all: unknown) {}
      }
      @Injectable()
      class ByProperty {
        @Inject(reaching) readonly all: unknown;
      }
      const byFactory = { provide: 'x', inject: [{ token: reaching, optional: true }], useFactory: function make() {} };
      const ways: Array<[Provider, string]> = [
        [ByConstructor, 'ByConstructor'],
        [ByProperty, 'ByProperty'],
        [{ provide: 'x', useClass: ByConstructor }, 'ByConstructor'],
        [byFactory, 'make'],
      ];
      for (const [provider, name] of ways) {
        @Module({ providers: [provider] })
        class ReachingModule {}
        expect(await refusal([extension({ module: ReachingModule })])).toContain(
          `The extension hr injects ${reaching.name} into ${name} in ReachingModule. It reaches all of the product.`,
        );
      }
    },
  );

  it.each([
    ['guard', 'useGlobalGuards'],
    ['interceptor', 'useGlobalInterceptors'],
    ['pipe', 'useGlobalPipes'],
    ['filter', 'addGlobalFilter'],
  ] as const)('is refused if it registers a global %s, by whatever way', async (kind, method) => {
    class Spy {
      readonly canActivate = () => true;
      readonly intercept = () => undefined;
      readonly transform = () => undefined;
      readonly catch = () => undefined;
    }
    @Injectable()
    class Sly implements OnModuleInit {
      constructor(private readonly modules: ModuleRef) {}
      onModuleInit(): void {
        this.modules.get(ApplicationConfig, { strict: false })[method](new Spy() as never);
      }
    }
    @Module({ providers: [Sly] })
    class SlyModule {}
    expect(await refusal([extension({ module: SlyModule })])).toContain(
      `The global ${kind} Spy was registered by an extension (loaded: hr). It would apply to every route of the product.`,
    );
  });

  it('is refused if its module is global, or registers middleware', async () => {
    @Global()
    @Module({})
    class GlobalModule {}
    const dynamic: DynamicModule = { module: EmptyModule, global: true };
    @Module({})
    class MiddlewareModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply().forRoutes('*');
      }
    }
    for (const module of [GlobalModule, dynamic])
      expect(await refusal([extension({ module })])).toContain('The extension hr declares a global module in');
    expect(await refusal([extension({ module: MiddlewareModule })])).toContain(
      'The extension hr registers middleware in MiddlewareModule.',
    );
  });

  it.each(['sub', 'email', 'roles', 'iss', 'cnf', 'urn:service:iam:org:project:roles', ''])(
    'is refused if it wants to make the claim "%s"',
    async (claim) => {
      expect(await refusal([contributing({ claims: [claim] })])).toContain(
        `The extension hr may not make the claim ${claim}`,
      );
    },
  );

  it.each(['openid', 'email', 'urn:acme:iam:user:metadata', 'two words'])(
    'is refused if it wants to add the scope "%s"',
    async (scope) => {
      expect(await refusal([contributing({ scopes: [scope] })])).toContain(
        `The extension hr may not add the scope ${scope}`,
      );
    },
  );

  it('is refused if two make the same claim, or if a time limit is out of bounds', async () => {
    const claims = ['https://acme.example/a'];
    expect(await refusal([contributing({ claims }), contributing({ claims }, 'crm')])).toContain(
      'Several contributors make the claim https://acme.example/a.',
    );
    expect(await refusal([contributing({ timeoutMs: 60_000 })])).toContain('timeoutMs that is not from 50 to 2000');
  });

  it.each<[string, Partial<ExtensionManifest>, string]>([
    [
      'claims a permission of the product',
      { permissions: [{ name: 'user.write' as 'ext.', level: 'org' }] },
      '"user.write" cannot be a permission of the extension hr. Its own begin with ext.hr. and consist of lower-case words.',
    ],
    [
      'claims a permission of another extension',
      { permissions: [{ name: 'ext.crm.read', level: 'org' }] },
      '"ext.crm.read" cannot be a permission of the extension hr.',
    ],
    [
      'redefines a role of the product',
      { roles: [{ name: 'ORG_OWNER', level: 'org', permissions: [] }] },
      '"ORG_OWNER" cannot be a role of the extension hr. Its own begin with EXT_HR_ and consist of upper-case words.',
    ],
    [
      'declares a permission at no level',
      { permissions: [{ name: 'ext.hr.read', level: 'project' as 'org' }] },
      'ext.hr.read of the extension hr needs a level: instance or org.',
    ],
    [
      'declares a permission twice',
      {
        permissions: [
          { name: 'ext.hr.read', level: 'org' },
          { name: 'ext.hr.read', level: 'instance' },
        ],
      },
      'The extension hr declares ext.hr.read several times. Remove all but one.',
    ],
    [
      'gives a permission to a role that does not exist',
      { permissions: [{ name: 'ext.hr.read', level: 'org', heldBy: ['ORG_BOSS'] }] },
      'The extension hr gives ext.hr.read to ORG_BOSS,',
    ],
  ])('is refused if it %s', async (_, over, message) => {
    expect(await refusal([extension(over)])).toContain(message);
  });

  it('is refused if it has a controller with a route that is no operation of its own', async () => {
    @Controller('users')
    class UsersController {
      @Get()
      list(): object {
        return {};
      }
    }
    @Module({ controllers: [UsersController] })
    class UsersModule {}
    expect(await refusal([extension({ module: UsersModule })])).toContain(
      'The route GET /users (UsersController.list) of the extension hr is outside of its own paths. ' +
        'Move it below admin/v1/ext/hr/ or management/v1/ext/hr/, or name its first words in "paths" of the manifest.',
    );
  });

  it('reports every mistake at once, those in its settings and in the settings of the product included', async () => {
    const withSettings = extension({
      gatehouse: '^7.0.0',
      settings: settings(
        HrSettings,
        (env) =>
          new HrSettings(
            env.required('HR_URL', env.url('HR_URL'), 'Give the URL of the directory.'),
            env.whole('HR_SIZE', { from: 1, to: 9 }) ?? 1,
          ),
      ),
    });
    const message = await refusal([withSettings], { HR_SIZE: '77', PORT: 'many' });
    expect(message.split('\n')).toEqual([
      'The settings and extensions contain 4 mistakes:',
      expect.stringContaining('PORT is "many"'),
      expect.stringContaining('was made for gatehouse ^7.0.0'),
      '  - HR_URL is missing. Give the URL of the directory.',
      '  - HR_SIZE is "77". Give an integer from 1 to 9.',
    ]);
  });

  it('is refused if it reads settings of others', async () => {
    const curious = extension({ settings: settings(HrSettings, (env) => new HrSettings(env.url('MASTER_KEY')!, 1)) });
    expect(await refusal([curious])).toContain(
      'The extension hr reads the setting MASTER_KEY. Its own begin with HR_.',
    );
  });

  it('injects its settings under their class', async () => {
    @Injectable()
    class Reader {
      constructor(readonly hr: HrSettings) {}
    }
    @Module({ providers: [Reader] })
    class ReaderModule {}
    const gatehouse = await createGatehouse({
      extensions: [
        extension({
          module: ReaderModule,
          settings: settings(HrSettings, (env) => new HrSettings(env.url('HR_URL')!, 3)),
        }),
      ],
      env: { ...quiet(), HR_URL: 'https://hr.example' },
    });
    expect(gatehouse.app.get(Reader, { strict: false }).hr).toEqual(new HrSettings(new URL('https://hr.example'), 3));
    await gatehouse.stop();
  });
});
