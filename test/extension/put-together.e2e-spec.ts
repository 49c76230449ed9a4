import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, type OnModuleInit, Scope, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { watchInit } from '../../src/foundation/extension/init-watch.js';
import { Logger } from '../../src/foundation/log/logger.js';
import { createGatehouse } from '../../src/process/start/gatehouse.js';
import { type TestDatabase, workerDatabase } from '../support/database.js';
import { startWorld } from '../support/world.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await workerDatabase();
});
afterAll(() => database.release());

function hr(providers: Array<Type<unknown>>, imports: Array<Type<unknown>> = []): Extension {
  @Module({ imports, providers })
  class HrModule {}
  return defineExtension({ id: 'hr', version: '1.0.0', gatehouse: '*', module: HrModule });
}

/** Why Gatehouse does not start with the extension. */
async function refusal(extension: Extension): Promise<string> {
  try {
    const env = { DATABASE_URL: database.url, DEMO_PORT: 'off', LOG_LEVEL: 'silent', PORT: '0' };
    const gatehouse = await createGatehouse({
      extensions: [extension],
      env: { ...env, PUBLIC_URL: 'http://localhost:3000' },
    });
    await gatehouse.stop();
    return 'it starts';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('An extension that Nest cannot put together is named, with a remedy:', () => {
  it('a module that it does not import', async () => {
    @Injectable()
    class Needs {
      constructor(@Inject(Database) readonly database: Database) {}
    }
    const says = await refusal(hr([Needs]));
    expect(says).toContain('The extension hr: ');
    expect(says).toContain('Needs');
    expect(says).toContain('imports: [GatehouseServices]');
  });

  it('a type in place of a class', async () => {
    @Injectable()
    class Needs {
      constructor(@Inject(Object) readonly database: unknown) {}
    }
    const says = await refusal(hr([Needs], [GatehouseServices]));
    expect(says).toContain('The extension hr: ');
    expect(says).toContain('not `import type { Database }`');
  });

  it('a class that would be made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @Injectable()
    class Needs {
      constructor(@Inject(PerRequest) readonly one: PerRequest) {}
    }
    expect(await refusal(hr([PerRequest, Needs]))).toContain(
      'The extension hr makes PerRequest for each request in HrModule. Whatever injects it',
    );
  });

  it('a class that throws while the start waits for it', async () => {
    @Injectable()
    class Opens implements OnModuleInit {
      onModuleInit(): Promise<void> {
        return Promise.reject(new Error('no such file'));
      }
    }
    expect(await refusal(hr([Opens]))).toContain('The extension hr failed in Opens.onModuleInit: no such file');
  });
});

describe('A class of an extension that keeps the start waiting', () => {
  it('is named in the log, and ends the start in the end', async () => {
    @Injectable()
    class Waits implements OnModuleInit {
      onModuleInit(): Promise<void> {
        return Promise.resolve();
      }
    }
    const extension = hr([Waits]);
    const world = await startWorld({ extensions: [extension] });
    const lines: string[] = [];
    const log = new Logger({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) });
    const waits = world.get(Waits);
    waits.onModuleInit = () => new Promise(() => undefined);
    await watchInit(world.get(ModulesContainer), [extension], log, { noticeMs: 20, limitMs: 60 });
    await expect(waits.onModuleInit()).rejects.toThrow(
      'The extension hr failed in Waits.onModuleInit: It has not ended within 0.06 s.',
    );
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 40,
      extension: 'hr',
      msg: 'the start waits for Waits.onModuleInit of the extension hr',
    });
    await world.close();
  });
});
