import { CONTROL } from './protocol.js';
import type { TestIdp } from './test-idp.js';

/** For programs. */
export function readyLine(idp: TestIdp, seconds: number): string {
  const { issuer } = idp;
  const facts = {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    controlUrl: `${issuer}${CONTROL}`,
    pid: process.pid,
    seconds: rounded(seconds),
  };
  return `${JSON.stringify(facts)}\n`;
}

/** For people. */
export function readyBlock({ issuer, cast }: TestIdp, seconds: number): string {
  const users = [...cast.users.values()].map(({ loginName, password }) => `${loginName} / ${password}`);
  const applications = [...cast.applications.values()].map(({ clientId, clientSecret }) =>
    clientSecret === undefined ? clientId : `${clientId} / ${clientSecret}`,
  );
  const services = [...cast.serviceUsers.values()].map(({ clientId, clientSecret }) => `${clientId} / ${clientSecret}`);
  const lines = [
    ['Issuer', issuer],
    ['Control', `${issuer}${CONTROL}`],
    ['Users', users.join(', ')],
    ['Applications', applications.join(', ')],
    ['Service users', services.join(', ')],
  ].filter(([, value]) => value !== '');
  const shown = lines.map(([label, value]) => `  ${label!.padEnd(15)}${value}`);
  return `\n  Gatehouse for tests: everything in it is lost at the end\n${shown.join('\n')}\n  Ready in ${rounded(seconds)} s\n\n`;
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
