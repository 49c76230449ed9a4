import { Agent } from 'node:http';
import { expect } from '@jest/globals';
import { type Headers, type Reply, send } from '../support/http.js';
import { type KnownOperation, operationsOf, takesBody } from '../support/operations.js';
import { bearer } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { Callers } from './callers.js';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export interface Asked {
  readonly operation: KnownOperation;
  readonly reply: Reply;
}

/** Every operation of the administrative API, asked by the owner of the instance. */
export class Attacker {
  readonly operations: readonly KnownOperation[];
  readonly withBody: readonly KnownOperation[];
  private readonly connections = new Agent({ keepAlive: true });

  private constructor(
    private readonly world: World,
    readonly token: string,
    /** Of a person: the operations on one's own account take no service user. */
    private readonly personToken: string,
  ) {
    this.operations = operationsOf(world);
    this.withBody = this.operations.filter(takesBody);
  }

  static async of(world: World): Promise<Attacker> {
    const callers = new Callers(world);
    return new Attacker(world, (await callers.service(['IAM_OWNER'])).pat, await callers.person(['IAM_OWNER']));
  }

  async ask(
    { method }: KnownOperation,
    path: string,
    body?: string | Buffer,
    headers: Headers = JSON_TYPE,
  ): Promise<Reply> {
    const sent = body === undefined ? {} : { body };
    const token = path.startsWith('/auth/v1/users/me/') ? this.personToken : this.token;
    return send(this.world.origin, {
      method,
      path,
      headers: { ...bearer(token), ...(body === undefined ? {} : headers) },
      over: this.connections,
      ...sent,
    });
  }

  /** What each is answered; a few requests at a time. */
  async each(
    operations: readonly KnownOperation[],
    toReply: (operation: KnownOperation) => Promise<Reply>,
  ): Promise<Asked[]> {
    const replies: Asked[] = [];
    for (let from = 0; from < operations.length; from += 10) {
      replies.push(
        ...(await Promise.all(
          operations.slice(from, from + 10).map(async (operation) => ({ operation, reply: await toReply(operation) })),
        )),
      );
    }
    return replies;
  }

  close(): void {
    this.connections.destroy();
  }
}

/** Those that answered otherwise, for messages. */
export function others(asked: readonly Asked[], statuses: readonly number[]): string[] {
  return asked
    .filter(({ reply }) => !statuses.includes(reply.status))
    .map(({ operation, reply }) => `${operation.name} ${reply.status} ${reply.text.slice(0, 200)}`);
}

/** Every operation refused, as code 3 and as JSON. */
export function expectRefused(asked: readonly Asked[]): void {
  expect(others(asked, [400])).toEqual([]);
  for (const { reply } of asked) {
    expect(reply.json()['code']).toBe(3);
    expect(reply.header('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.header('cache-control')).toBe('no-store');
  }
}
