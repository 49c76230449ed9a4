import { createHmac } from 'node:crypto';
import { Secret } from '../foundation/config/secret.js';
import { smallRandomBytes } from '../foundation/crypto/random.js';

/** The prefix by which people and scanners know a secret of a webhook (Standard Webhooks 1.0.0, "Signature scheme"). */
const SECRET_PREFIX = 'whsec_';
/** A length between the permitted 24 and 64. */
const SECRET_BYTES = 32;

export function newWebhookSecret(): Secret {
  return new Secret(`${SECRET_PREFIX}${smallRandomBytes(SECRET_BYTES).toString('base64')}`);
}

export interface SignedMessage {
  /** Identifies the event. Retries keep it, so that receivers can drop duplicates. It contains no full stop. */
  readonly id: string;
  /** When the attempt was made, so that an old one cannot be sent again by others. */
  readonly seconds: number;
  readonly body: string;
}

/** The headers of a call. Each secret that is valid signs, so that a receiver can change to the new one at leisure. */
export function signatureHeaders(
  { id, seconds, body }: SignedMessage,
  secrets: readonly Secret[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => `v1,${sign(`${id}.${seconds}.${body}`, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}

function sign(content: string, secret: Secret): string {
  const key = Buffer.from(secret.reveal().slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
