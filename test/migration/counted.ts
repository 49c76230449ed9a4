import { BulkConnections } from '../../src/migration/part/bulk-connection.js';
import type { World } from '../support/world.js';
import { countWork, type Work } from './work.js';

export async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

/** Answers also what the statements of the one connection did that the work opens. */
export async function counted(world: World, run: () => Promise<string>): Promise<{ answer: string; work: Work[] }> {
  const connections = world.get(BulkConnections);
  const begin = connections.begin.bind(connections);
  let work: Work[] = [];
  Object.assign(connections, {
    begin: async (...how: Parameters<typeof begin>) => {
      const connection = await begin(...how);
      work = countWork(connection);
      return connection;
    },
  });
  try {
    return { answer: await run(), work };
  } finally {
    Object.assign(connections, { begin });
  }
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
