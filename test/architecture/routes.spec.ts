import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Open } from '../../src/foundation/http/access.js';
import { HttpModule } from '../../src/foundation/http/http.module.js';
import { RouteTable } from '../../src/foundation/http/route-table.js';

@Controller('forgotten')
class Forgotten {
  @Get('first')
  @Open()
  first(): void {}

  @Post('second/:id')
  second(): void {}
}

@Controller('shop')
@Open()
class Shop {
  @Get()
  list(): void {}

  @Post('items/:id')
  add(): void {}

  @Get('items/:id')
  get(): void {}

  @Post('items/_search')
  search(): void {}

  @Get('files/*path')
  file(): void {}
}

async function start(controller: Type): Promise<RouteTable> {
  @Module({ imports: [HttpModule], controllers: [controller] })
  class Application {}

  const application = await NestFactory.create(Application, { logger: false, abortOnError: false });
  await application.init();
  const table = application.get(RouteTable);
  await application.close();
  return table;
}

describe('Closed by default', () => {
  it('does not start with a route that declares neither a permission nor that it is open, and names it', async () => {
    await expect(start(Forgotten)).rejects.toThrow('POST /forgotten/second/:id (Forgotten.second)');
    await expect(start(Forgotten)).rejects.not.toThrow('Forgotten.first');
  });

  it('takes the declaration of a controller for each of its routes', async () => {
    expect((await start(Shop)).routes.map(({ access }) => access)).toEqual(Array(5).fill({ kind: 'open' }));
  });
});

describe('The methods that a path answers to: RFC 9110 §10.2.1', () => {
  it.each([
    ['/shop', ['GET', 'HEAD']],
    ['/shop/', ['GET', 'HEAD']],
    ['/SHOP', ['GET', 'HEAD']],
    ['/shop/items/1', ['GET', 'HEAD', 'POST']],
    ['/shop/items/%2e%2e', ['GET', 'HEAD', 'POST']],
    ['/shop/items/_search', ['POST']],
    ['/shop/files/a/b', ['GET', 'HEAD']],
    ['/shop/items', []],
    ['/shop/items/1/2', []],
    ['/shopping', []],
    ['/', []],
    [`/${'a/'.repeat(10_000)}`, []],
  ])('%s', async (path, methods) => {
    expect((await start(Shop)).allowedMethods(path)).toEqual(methods);
  });
});
