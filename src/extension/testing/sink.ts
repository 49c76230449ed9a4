import { type AddressInfo, createServer } from 'node:net';

/** An address that must not be called: counts calls. @public */
export interface Sink {
  readonly url: string;
  readonly connections: number;
  close(): Promise<void>;
}

/** @public */
export async function openSink(): Promise<Sink> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    get connections() {
      return connections;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
