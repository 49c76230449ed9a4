import { once } from 'node:events';
import { connect, createServer, type Http2ServerRequest } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { afterEach, expect, it } from '@jest/globals';
import { readFrame } from './message-frame.js';

const server = createServer();
afterEach(() => void server.close());

it('A message is not waited for whose sender has disconnected before it is read', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const asked = client.request({ ':method': 'POST', ':path': '/' }, { endStream: false });
  asked.on('error', () => undefined); // it is cut off below
  const [request] = (await once(server, 'request')) as [Http2ServerRequest];
  const gone = once(request.stream, 'close');
  client.destroy();
  await gone;
  const limits = { maxBytes: 1_000, maxFields: 10, waitMs: 2_000 };
  await expect(readFrame(request, EmptySchema, limits)).rejects.toMatchObject({ code: Code.Canceled });
});
