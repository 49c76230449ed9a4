import type { Socket } from 'node:net';
import { Injectable, Module } from '@nestjs/common';
import { Count, Text } from '../../src/admin/kit/wire/fields.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import {
  DIRECTORY_KIND,
  type DirectoryGiven,
  type DirectoryKind,
  type DirectoryNet,
  DirectoryRefused,
  type DirectoryTrial,
} from '../../src/idp/directory-kind.js';
import type { IdpIdentity } from '../../src/idp/idp-kind.js';
import type { LineEntry } from '../support/line-directory.js';

export const SERVICE_PASSWORD = 'service-password-of-lines-93';

export class LineSettings {
  @Text(1, { min: 1, max: 200 })
  readonly host!: string;

  @Count(2, { max: 65_535 })
  readonly port!: number;

  @Text(3, { max: 200, writeOnly: true })
  readonly servicePassword!: string;
}

/** A kind for `LineDirectory`; `does` breaks it. */
@Injectable()
export class LineKind implements DirectoryKind<LineSettings> {
  static does: {
    check?: (trial: DirectoryTrial<LineSettings>, net: DirectoryNet, signal: AbortSignal) => Promise<unknown>;
    identity?: (entry: LineEntry) => IdpIdentity;
    connect?: (target: { host: string; port: number }) => Promise<Socket>;
  } = {};
  readonly kind = 'ext:line';
  readonly settings = LineSettings;
  readonly mark: string = '<svg viewBox="0 0 8 8"><rect x="1" y="1" width="6" height="6" fill="#654321"/></svg>';

  async test({ settings: { host, port } }: DirectoryGiven<LineSettings>, net: DirectoryNet): Promise<void> {
    await exchange(await net.connect({ host, port }), { name: '', password: '' });
  }

  async check(
    trial: DirectoryTrial<LineSettings>,
    net: DirectoryNet,
    signal: AbortSignal,
  ): Promise<IdpIdentity | undefined> {
    if (LineKind.does.check) return (await LineKind.does.check(trial, net, signal)) as IdpIdentity;
    const { settings, loginName, password } = trial;
    const connect = LineKind.does.connect ?? net.connect;
    const socket = await connect({ host: settings.host, port: settings.port });
    const entry = await exchange(socket, { name: loginName, password: password.reveal() });
    if (entry === null) return undefined;
    if (entry.isDisabled) throw new DirectoryRefused('account_disabled');
    const right = { subject: entry.id, preferredUserName: entry.loginName, email: entry.email, emailVerified: true };
    return LineKind.does.identity?.(entry) ?? right;
  }
}

async function exchange(socket: Socket, question: { name: string; password: string }): Promise<LineEntry | null> {
  socket.write(`${JSON.stringify(question)}\n`);
  const pieces: Buffer[] = [];
  for await (const piece of socket as AsyncIterable<Buffer>) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString()) as LineEntry | null;
}

@Module({ providers: [LineKind] })
class LineModule {}

export const line = defineExtension({
  id: 'line',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: LineModule,
  provides: [provide(DIRECTORY_KIND, LineKind)],
});
