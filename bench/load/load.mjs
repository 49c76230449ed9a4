import { fork } from 'node:child_process';

const PROGRAM = new URL('./generator.mjs', import.meta.url).pathname;

/** The load generator as its user sees it: one measurement at a time, in another process. */
export class Load {
  constructor() {
    this.child = fork(PROGRAM, { execPath: process.execPath });
    this.pid = this.child.pid;
  }

  /** @returns {Promise<Figure>} @throws Error when any answer was not the expected one */
  measure(order) {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the load generator ended'));
      this.child.once('exit', onExit);
      this.child.once('message', ({ result, error }) => {
        this.child.off('exit', onExit);
        if (error) reject(new Error(error));
        else resolve(result);
      });
      // A generator that has ended before can be told nothing.
      this.child.send(order, (error) => error && onExit());
    });
  }

  stop() {
    if (this.child.connected) this.child.disconnect();
  }
}

/** The target with its endpoints as paths, as its own discovery document names them. */
export async function withEndpoints(target) {
  const response = await fetch(`${target.issuer}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`no discovery document of ${target.name}: ${response.status}`);
  const endpoints = {};
  for (const [member, value] of Object.entries(await response.json())) {
    if (member.endsWith('_endpoint') || member === 'jwks_uri') endpoints[member] = new URL(value).pathname;
  }
  return { ...target, endpoints };
}
