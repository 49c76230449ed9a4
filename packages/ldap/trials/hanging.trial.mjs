/*
 * How long sign-ins with passwords of Gatehouse take while a directory hangs at which as many people as are let in try
 * to sign in: node hanging.trial.mjs, after a build. It starts a service, and a server that takes connections and says
 * nothing.
 */
import { createServer } from 'node:net';
import { RelyingParty, startWorld } from 'gatehouse/testing';
import ldap from '../dist/ldap.extension.js';

const SIGN_INS = 300;
const START = '/ui/login/login/externalidp';

const silent = createServer((socket) => socket.on('error', () => undefined));
await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
const world = await startWorld({ extensions: [ldap], env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
const admin = await world.manager(['IAM_OWNER']);
const client = await world.add.application();
const { id } = await admin.call('POST', '/admin/v1/idps/extension', {
  name: 'Silent',
  kind: 'ext:ldap',
  settings: {
    servers: [`ldap://127.0.0.1:${silent.address().port}`],
    bindDn: 'cn=a,dc=b',
    bindPassword: 'c',
    userBase: 'dc=b',
  },
});
await admin.call('POST', `/admin/v1/idps/${id}/_reactivate`, {});
await world.changesToArrive();
const user = await world.add.user();

async function measure() {
  const times = [];
  for (let count = 0; count < SIGN_INS; count += 1) {
    const party = new RelyingParty(world, client);
    const began = performance.now();
    await party.signIn(user);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { median: times[SIGN_INS >> 1], p99: times[Math.floor(SIGN_INS * 0.99)] };
}

let isOver = false;
let tries = 0;
async function hang() {
  while (!isOver) {
    const party = new RelyingParty(world, client);
    const { page } = await party.authorize();
    const query = new URLSearchParams({
      authRequestID: page.formWith('authRequestID').fields.authRequestID,
      idpConfigID: id,
    });
    const form = (await party.browser.get(`${START}?${query}`)).page;
    tries += 1;
    await party.browser.submit(form, { loginName: `somebody${tries}`, password: 'x' }).catch(() => undefined);
  }
}

const show = ({ median, p99 }) => `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
await measure();
const alone = await measure();
console.log(`alone: ${show(alone)}`);
const hanging = Array.from({ length: 20 }, hang);
await new Promise((resolve) => setTimeout(resolve, 1_000));
const beside = await measure();
console.log(
  `beside a directory that hangs (${tries} tries): ${show(beside)}; p99 ${(beside.p99 / alone.p99).toFixed(2)} times`,
);
isOver = true;
await Promise.all(hanging);
await world.close();
silent.close();
process.exit(beside.p99 <= 2 * alone.p99 ? 0 : 1);
