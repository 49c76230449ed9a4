import { setTimeout as sleep } from 'node:timers/promises';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { send } from './http.js';
import type { World } from './world.js';

/** A mail, as the development mailbox returns it. */
export interface ReadMail {
  readonly id: string;
  readonly date: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What has been sent so far, newest first; what waits is sent before. */
export async function mailsIn(world: World): Promise<ReadMail[]> {
  await untilSent(world);
  const reply = await send(world.origin, { path: '/dev/mail', headers: { Accept: 'application/json' } });
  return reply.json<{ messages: ReadMail[] }>().messages;
}

/** Also what another process of this world has in its hands. @throws Error after ten seconds */
export async function untilSent(world: World): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    await world.get(MailWorker).run();
    const waiting = await world.rows("SELECT 1 FROM outbox WHERE state = 'waiting'");
    if (waiting.length === 0) return;
    if (waited > 10_000) throw new Error(`${waiting.length} mails do not leave.`);
    await sleep(20);
  }
}

/** Those to one address, newest first. */
export async function mailsTo(world: World, address: string): Promise<ReadMail[]> {
  return (await mailsIn(world)).filter(({ to }) => to === address);
}

/** The newest one to an address. @throws Error when there is none */
export async function lastMailTo(world: World, address: string): Promise<ReadMail> {
  const [mail] = await mailsTo(world, address);
  if (!mail) throw new Error(`Nothing was sent to ${address}.`);
  return mail;
}

/** Where the button leads. @throws Error when there is none */
export function linkIn({ text }: Pick<ReadMail, 'text'>): URL {
  const [link] = /https?:\/\/\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`The mail has no link:\n${text}`);
  return new URL(link);
}

/** The code that its link carries, which no log may hold. @throws Error when it has none */
export function codeIn(world: World, mail: Pick<ReadMail, 'text'>): string {
  const code = linkIn(mail).searchParams.get('code') ?? /\b\d{8}\b/.exec(mail.text)?.[0];
  if (!code) throw new Error(`The mail has no code:\n${mail.text}`);
  world.plant(`code=${code}`);
  return code;
}
