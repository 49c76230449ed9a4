import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { IssuerConfig } from '../../foundation/config/config.js';
import { examineWay } from './way-findings.js';

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('A server whose answer never ends is waited for no longer than one that never begins', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = Object.assign(new IssuerConfig(), { publicUrl });
  const findings = await examineWay({ issuer }, new AbortController().signal, 50);
  expect(findings).toMatchObject([
    { state: 'wrong', finding: expect.stringMatching(/ gives no complete answer within 0\.05 s\.$/) },
  ]);
});
