import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '../foundation/config/secret.js';
import { newWebhookSecret, signatureHeaders } from './webhook-signature.js';

const MESSAGE = { id: 'evt_7', seconds: 1_674_087_231, body: '{"type":"user.removed"}' };

/** As a receiver checks it, by the text of the specification. */
function expected(secret: Secret): string {
  const key = Buffer.from(secret.reveal().replace('whsec_', ''), 'base64');
  const content = 'evt_7.1674087231.{"type":"user.removed"}';
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

describe('A call to a webhook', () => {
  it('is signed over id, time and body with the bytes of the secret (Standard Webhooks)', () => {
    const secret = newWebhookSecret();
    expect(signatureHeaders(MESSAGE, [secret])).toEqual({
      'webhook-id': 'evt_7',
      'webhook-timestamp': '1674087231',
      'webhook-signature': expected(secret),
    });
  });

  it('has the signature of the reference library for a known secret', () => {
    const secret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signatureHeaders(message, [secret])['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is signed by each secret that is valid, with blanks between', () => {
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    const { 'webhook-signature': signatures } = signatureHeaders(MESSAGE, [first, second]);
    expect(signatures).toBe(`${expected(first)} ${expected(second)}`);
  });
});

describe('A secret of a webhook', () => {
  it('has 32 random bytes behind its prefix, and is never printed', () => {
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    expect(first.reveal()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(first.reveal()).not.toBe(second.reveal());
    expect(String(first)).toBe('[secret]');
  });
});
