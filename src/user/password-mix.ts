import { createHmac, hash } from 'node:crypto';

/** People whose hashes have one setting; `settingOf` in crypto/password-form.ts says what that is. */
export interface MixShare {
  readonly setting: string;
  readonly brought: number;
  readonly remaining: number;
}

/** The setting of our own hashes, as decoys know it. */
const OWN = '';
/** As many bits as a number holds exactly. */
const BITS = 52n;

/**
 * The settings of the password hashes of many people, from which a name that nobody has gets one. How long a refusal takes shows
 * the setting, so names that nobody has must be spread over the settings as the people are, or the time would tell them apart.
 *
 * A name keeps its setting, since that of a person stays, too. A person's changes once, to our own, with the first sign-in after a
 * move. So does a name's: it chooses among the settings by how many people were brought with each, and then changes to our own
 * when as large a share of those people has changed as its digest says.
 */
export class PasswordMix {
  constructor(
    private readonly key: Buffer,
    /** Everybody who has a password. */
    private readonly people: number,
    private readonly shares: readonly MixShare[],
  ) {}

  settingFor(name: string): string {
    // Unforeseeable without the key; what is made of it below needs none.
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

/** Between 0 and 1, neither included; the same for the same text. */
function fraction(text: string): number {
  const bits = hash('sha256', text, 'buffer').readBigUInt64BE() >> (64n - BITS);
  return (Number(bits) + 0.5) / Number(1n << BITS);
}
