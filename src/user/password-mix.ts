import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** Users whose hashes have one setting; see `settingOf` in foundation/password/password-form.ts. */
export interface MixShare {
  readonly setting: string;
  readonly brought: number;
  readonly remaining: number;
}

/** The setting of our own hashes, as used for decoys. */
const OWN = '';
/** As many bits as a number holds exactly. */
const BITS = 52n;

/**
 * The settings of many users' password hashes, from which an unknown name is given one. The time of a refusal reveals
 * the setting, so unknown names must be distributed over the settings like the users, or the time would reveal which
 * names exist.
 * A name keeps its setting, because a user's stays, too. A user's setting changes once, to our own, with the first
 * sign-in after a move. So does a name's: it is chosen by how many users were imported with each setting, and changes
 * to our own when as large a share of those users has changed as the name's digest says.
 */
export class PasswordMix {
  private readonly key: KeyObject;

  constructor(
    key: Buffer,
    /** The number of all users with a password. */
    private readonly people: number,
    private readonly shares: readonly MixShare[],
  ) {
    this.key = createSecretKey(key); // bytes would be converted for each name, which takes longer than the HMAC
  }

  settingFor(name: string): string {
    if (this.shares.length === 0) return OWN;
    // Unpredictable without the key; what follows needs no key.
    const seed = createHmac('sha256', this.key).update(name).digest('hex');
    const brought = this.shares.reduce((sum, share) => sum + share.brought, 0);
    const own = { setting: OWN, brought: Math.max(0, this.people - brought), remaining: 0 };
    const chosen = [own, ...this.shares]
      .map((share) => ({ share, distance: -Math.log(fraction(`${seed} choice ${share.setting}`)) / share.brought }))
      .reduce((nearest, each) => (each.distance < nearest.distance ? each : nearest)).share;
    if (chosen === own) return OWN;
    return fraction(`${seed} change ${chosen.setting}`) * chosen.brought < chosen.remaining ? chosen.setting : OWN;
  }
}

/** A number between 0 and 1, exclusive; the same text always gives the same number. */
function fraction(text: string): number {
  const bits = hash('sha256', text, 'buffer').readBigUInt64BE() >> (64n - BITS);
  return (Number(bits) + 0.5) / Number(1n << BITS);
}
