import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Param, Post, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { AdminRoutes } from '../../../src/extension/facade/admin/admin-routes.js';
import { Asking, Requires } from '../../../src/extension/facade/admin/operation.js';
import { JsonBody, Open } from '../../../src/extension/facade/admin/routes.js';
import type { Caller } from '../../../src/extension/facade/caller.js';
import { ownRouteContract } from '../../../src/extension/testing/contract/own-route.contract.js';
import { DomainError } from '../../../src/foundation/error/domain-error.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

/** What the routes do instead of their work. */
let instead: ((response: ExpressResponse) => unknown) | undefined;

@Controller('rooms')
class RoomController {
  @Get(':orgId/:name')
  @Requires('org.read', { org: 'orgId' })
  read(
    @Asking() { orgId }: Caller,
    @Param('name') name: string,
    @Res({ passthrough: true }) response: ExpressResponse,
  ): unknown {
    return instead ? instead(response) : { orgId, name };
  }

  @Post('guests')
  @Open()
  enter(@JsonBody() body: unknown): unknown {
    return { body };
  }
}

@Module({ imports: [AdminRoutes], controllers: [RoomController] })
class RoomsModule {}

const rooms = defineExtension({ id: 'rooms', version: '1.0.0', gatehouse: '*', module: RoomsModule, paths: ['rooms'] });

const world = await startWorld({ extensions: [rooms] });
const contract = ownRouteContract(() => world, { extension: 'rooms', parameters: { name: 'hall' } });
const because = (word: RegExp) => brokenIn(contract, word);

afterEach(() => {
  instead = undefined;
});
afterAll(() => world.close());

describe('Routes of an extension keep the contract', () => {
  for (const { name, run } of contract) it(name, run);
});

describe('The contract tells what is wrong with routes', () => {
  it.each<[string, (response: ExpressResponse) => unknown, RegExp, RegExp]>([
    [
      'fails',
      () => Promise.reject(new Error('no table')),
      /5xx/,
      /^GET \/rooms\/\d+\/\S+ \(RoomController\.read\) answers 500: /,
    ],
    [
      'takes a header of the product away',
      (response) => void response.removeHeader('X-Content-Type-Options'),
      /headers/,
      /^GET \/rooms\/:orgId\/:name answers without x-content-type-options\.$/,
    ],
    [
      'asks holders of the permission for a token',
      () => Promise.reject(new DomainError('Unauthenticated', 'rooms.token', 'Who are you?')),
      /roles/,
      /^GET \/rooms\/:orgId\/:name answers ORG_OWNER with 401, and the role holds org\.read\.$/,
    ],
  ])('of which one %s', async (_, does, only, message) => {
    instead = does;
    expect(Object.values(await because(only))).toEqual([expect.stringMatching(message)]);
  });

  it('of which there are none', async () => {
    const found = await brokenIn(ownRouteContract(world, { extension: 'halls' }), /without a token/);
    expect(Object.values(found)).toEqual(['The extension halls has no routes of its own in this world.']);
  });
});
