import { Injectable } from '@nestjs/common';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import type { Client } from '../../project/client/client.js';

/**
 * What a device code contains, so that a question which comes too early, too late or from another client needs no
 * query.
 */
export interface DeviceCode {
  readonly id: string;
  readonly clientId: string;
  /** Distinguishes clients that have had this client id one after another. */
  readonly clientEpoch: string;
  readonly expiresAt: Date;
}

/** Short names: devices send the code every few seconds. */
interface Payload {
  readonly i: string;
  readonly c: string;
  readonly p: string;
  readonly e: number;
}

/** RFC 8628 §3.2, `device_code`: opaque to the client, and sealed as a kind of its own. */
@Injectable()
export class DeviceCodes {
  constructor(private readonly tokenSeal: TokenSeal) {}

  seal({ id, client, expiresAt }: { id: string; client: Client; expiresAt: Date }): string {
    const payload: Payload = { i: id, c: client.id, p: client.clientEpoch, e: expiresAt.getTime() };
    return this.tokenSeal.seal('device', Buffer.from(JSON.stringify(payload)));
  }

  /** Undefined for anything that this service did not seal as a device code. */
  open(text: string): DeviceCode | undefined {
    const sealed = this.tokenSeal.open('device', text);
    if (!sealed) return undefined;
    const payload = JSON.parse(sealed.toString()) as Payload;
    return { id: payload.i, clientId: payload.c, clientEpoch: payload.p, expiresAt: new Date(payload.e) };
  }
}
