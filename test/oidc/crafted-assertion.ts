import { KeyObject, sign as signWith } from 'node:crypto';
import { exchangeAssertion } from '../support/assertion.js';
import type { TestService } from '../support/builders.js';
import { expectToken400 } from '../support/verdict.js';
import type { World } from '../support/world.js';

export const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

export const headerOf = (service: TestService, over: object = {}): string =>
  JSON.stringify({ alg: service.key.alg, kid: service.key.kid, ...over });

export function payloadOf(world: World, service: TestService, over: object = {}): string {
  const now = world.now();
  return JSON.stringify({ iss: service.id, sub: service.id, aud: world.issuer, iat: now, exp: now + 300, ...over });
}

/** A JWS with header and payload as these very texts, signed with RS256 or by whatever is given. */
export function craft(service: TestService, header: string, payload: string, sign?: (input: Buffer) => Buffer): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const key = KeyObject.from(service.key.privateKey);
  const signature = sign ? sign(Buffer.from(input)) : signWith('sha256', Buffer.from(input), key);
  return `${input}.${encode(signature)}`;
}

export async function expectRefused(world: World, assertion: string): Promise<void> {
  expectToken400(await exchangeAssertion(world, assertion), 'invalid_grant');
}
