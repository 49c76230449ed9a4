/* The process is killed again and again while people sign out: each application is told of each sign-out that was answered. See README.md. */
import { createServer } from 'node:http';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { ask, claimsIn, Stage } from './races/stage.mjs';

const KILLS = Number(process.env.KILLS ?? 10);
const SIGN_OUTS_EACH = 10;

await trial(async (machine) => {
  const [serverPort, port, receiverPort] = [machine.port(), machine.port(), machine.port()];
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  // In production, applications are told by https only.
  const settings = {
    DATABASE_URL: server.url,
    NODE_ENV: 'development',
    DEMO_PORT: 'off',
    OUTBOUND_ALLOW: '127.0.0.1',
  };
  let service = await machine.startService(port, settings);
  const stage = await Stage.open(service, service, server.url);
  const receiver = await startReceiver(receiverPort);
  const { clientId, clientSecret } = await stage.addWeb({ backChannelLogoutUri: receiver.uri });

  const answered = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const sessions = [];
    for (let number = 0; number < SIGN_OUTS_EACH; number += 1) {
      const visitor = await stage.visitor(kill * SIGN_OUTS_EACH + number);
      const tokens = await stage.tokens(visitor, clientId, clientSecret);
      sessions.push({ visitor, tokens });
    }
    // At another moment each time: in the middle of the first sign-outs, or of the last.
    const before = answered.length;
    const leaving = sessions.map(async ({ visitor, tokens }) => {
      const path = `/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: tokens.id_token })}`;
      const headers = { Cookie: visitor.cookieFor('/oidc/v1/end_session'), 'Sec-Fetch-Site': 'same-origin' };
      const { status } = await ask(service, path, undefined, headers);
      if (status >= 400) return;
      answered.push(claimsIn(tokens.id_token).sid);
      if (answered.length - before > kill % SIGN_OUTS_EACH) service.child.kill('SIGKILL');
    });
    await Promise.allSettled(leaving);
    for (const { visitor } of sessions) visitor.connection.close();
    service = await machine.startService(port, settings);
  }

  const missing = () => answered.filter((sessionId) => !receiver.told.has(sessionId));
  await until(
    () => missing().length === 0,
    () => `${missing().length} of ${answered.length} notices`,
  ).catch((error) => console.error(error.message));
  promise(
    answered.length > 0,
    `${answered.length} of ${KILLS * SIGN_OUTS_EACH} sign-outs were answered, with ${KILLS} kills`,
  );
  promise(
    missing().length === 0,
    `each is told to the application (${receiver.told.size} sessions in ${receiver.calls} calls)`,
  );
  const [{ waiting }] = await inDatabase(
    server.url,
    "SELECT count(*)::int AS waiting FROM logout_notice WHERE state <> 'delivered'",
  );
  promise(waiting === 0, 'every notice is delivered');
  receiver.close();
});

/** An application that is told of sign-outs (OIDC Back-Channel Logout §2.8). */
async function startReceiver(port) {
  const receiver = { uri: `http://127.0.0.1:${port}/logout`, told: new Set(), calls: 0 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    receiver.told.add(claimsIn(new URLSearchParams(text).get('logout_token')).sid);
    receiver.calls += 1;
    response.end();
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  receiver.close = () => server.close();
  return receiver;
}
