import { createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from 'gatehouse';
import type { ExtGrant, GrantDecision, GrantQuestion } from 'gatehouse/experimental';
import { BadgeSettings } from './badge.settings.js';

const BADGE = /^(\d{1,12})\.([\w-]{43})$/;
const REFUSED = { error: 'invalid_grant', description: 'The badge or its PIN is not valid.' } as const;

/** A badge holds its number and a signature of it; the user knows the PIN. */
@Injectable()
export class BadgeGrant implements ExtGrant {
  readonly name = 'urn:example:badge';
  readonly parameters = [
    { name: 'badge', maxLength: 60 },
    { name: 'pin', maxLength: 12 },
  ];
  readonly guessedFor = 'badge';

  constructor(
    private readonly database: Database,
    private readonly settings: BadgeSettings,
  ) {}

  /** What is written on the badge of this number. */
  write(number: string): string {
    return `${number}.${createHmac('sha256', this.settings.key.reveal()).update(number).digest('base64url')}`;
  }

  async assign(number: string, userId: string, pin: string): Promise<void> {
    await this.database.query(
      `INSERT INTO ext_badge.badge (number, user_id, pin_hash) VALUES (:number, :userId, :pinHash)
       ON CONFLICT (number) DO UPDATE SET user_id = excluded.user_id, pin_hash = excluded.pin_hash`,
      { number, userId, pinHash: (await hashOf(number, pin)).toString('base64url') },
    );
  }

  async decide({ parameters: { badge = '', pin = '' } }: GrantQuestion): Promise<GrantDecision> {
    const number = BADGE.exec(badge)?.[1];
    if (number === undefined || !timingSafeEqual(Buffer.from(this.write(number)), Buffer.from(badge))) return REFUSED;
    const [found] = await this.database.query<{ userId: string; pinHash: string }>(
      'SELECT user_id AS "userId", pin_hash AS "pinHash" FROM ext_badge.badge WHERE number = :number',
      { number },
    );
    if (!found || !timingSafeEqual(await hashOf(number, pin), Buffer.from(found.pinHash, 'base64url'))) return REFUSED;
    return { userId: found.userId, amr: ['hwk', 'pin', 'mfa'] };
  }
}

async function hashOf(number: string, pin: string): Promise<Buffer> {
  return promisify<string, string, number, Buffer>(scrypt)(pin, `badge ${number}`, 32);
}
