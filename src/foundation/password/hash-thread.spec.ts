import type { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from '@jest/globals';
import { HashThread } from './hash-thread.js';

const WORK = {
  algorithm: 'pbkdf2',
  digest: 'sha256',
  iterations: 1_000,
  salt: Buffer.from('salt').toString('base64'),
  wanted: Buffer.alloc(32).toString('base64'),
} as const;

let thread: HashThread;
afterEach(() => thread.end());

function workerOf(owner: HashThread): Worker {
  return (owner as unknown as { worker: Worker }).worker;
}

it('replaces a thread that has died while it was idle', async () => {
  thread = new HashThread();
  await thread.check(WORK, 'password');
  await workerOf(thread).terminate();
  await expect(thread.check(WORK, 'password')).resolves.toMatchObject({ isRight: false });
});

it('does not end the process when an idle thread fails', async () => {
  thread = new HashThread();
  await thread.check(WORK, 'password');
  // As Node reports a thread that has run out of memory: without a listener, the event would be thrown.
  workerOf(thread).emit('error', new Error('out of memory'));
  await expect(thread.check(WORK, 'password')).resolves.toMatchObject({ isRight: false });
});

it('refuses the check during which the thread dies, and serves the next one', async () => {
  thread = new HashThread();
  const interrupted = thread.check({ ...WORK, iterations: 100_000_000 }, 'password');
  const dying = workerOf(thread).terminate();
  await expect(interrupted).rejects.toThrow('has ended');
  await dying;
  await expect(thread.check(WORK, 'password')).resolves.toMatchObject({ isRight: false });
});
