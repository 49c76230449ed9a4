import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../foundation/error/domain-error.js';
import { type PartCall, PartCalls } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { Clock } from '../../foundation/time/clock.js';
import { CLAIMS, type ClaimsContributor, type ClaimsPlace, type ClaimsQuestion } from './claims-contributor.js';
import type { Claims } from './user-claims.js';

const USUAL_LIMIT_MS = 300;
const USUAL_PLACES: readonly ClaimsPlace[] = ['id_token', 'userinfo'];
/** The most that one contributor may add, as JSON. */
const MAX_BYTES = 4_096;
/** A contributor that fails this often in a row is not asked for a while: each failure costs its whole time limit. */
const FAILURES_IN_A_ROW = 10;
const PAUSE_MS = 5_000;
/** The names of undeclared claims that are logged, each once: an answer could have a new one each time. */
const MOST_NOTED = 20;

/** The question without what follows from the contributor. */
export type AskedClaims = Omit<ClaimsQuestion, 'claimNames'> & { readonly byName: readonly string[] };

const NONE: Claims = {};

/** The claims that extensions add. */
@Injectable()
export class ContributedClaims {
  private readonly contributors: readonly Contributor[];
  /** The scopes, in the order of the extensions. */
  readonly scopes: readonly string[];
  readonly names: readonly string[];
  private readonly scopeSet: ReadonlySet<string>;
  private readonly scopesByName: ReadonlyMap<string, readonly string[]>;
  private readonly extensionByName: ReadonlyMap<string, string>;

  constructor(@Inject(CLAIMS.token) filled: ReadonlyArray<Filled<ClaimsContributor>>, calls: PartCalls, clock: Clock) {
    this.contributors = filled.map((one) => new Contributor(one, calls, clock));
    this.scopeSet = new Set(filled.flatMap(({ part }) => part.scopes));
    this.scopesByName = new Map(filled.flatMap(({ part }) => part.claims.map((name) => [name, part.scopes] as const)));
    this.extensionByName = new Map(
      filled.flatMap(({ part, extension }) => part.claims.map((name) => [name, extension] as const)),
    );
    this.scopes = [...this.scopeSet];
    this.names = [...this.scopesByName.keys()];
  }

  /** Whether applications may request the scope. */
  knowsScope(scope: string): boolean {
    return this.scopeSet.has(scope);
  }

  /** Whether the claim may be requested by name. */
  knowsName(name: string): boolean {
    return this.scopesByName.has(name);
  }

  /** The extension that makes the claim. */
  extensionOf(name: string): string | undefined {
    return this.extensionByName.get(name);
  }

  /** The scopes that give the claim away; its own name if no scope does, and nothing for claims of others. */
  scopesOf(name: string): readonly string[] {
    const scopes = this.scopesByName.get(name);
    return scopes?.length === 0 ? [name] : (scopes ?? []);
  }

  /** Whether any contributor would be asked. */
  isAsked(place: ClaimsPlace, scopes: readonly string[], byName: readonly string[]): boolean {
    return this.contributors.some((one) => one.isAsked(place, scopes, byName));
  }

  /** @throws DomainError Unavailable `extension.claims_unavailable` if a contributor fails that must not be left out */
  async of(asked: AskedClaims): Promise<Claims> {
    const due = this.contributors.filter((one) => one.isAsked(asked.place, asked.scopes, asked.byName));
    if (due.length === 0) return NONE;
    return Object.fromEntries((await Promise.all(due.map((one) => one.claims(asked)))).flat());
  }
}

class Contributor {
  private readonly scopes: ReadonlySet<string>;
  private readonly names: ReadonlySet<string>;
  private readonly places: ReadonlySet<ClaimsPlace>;
  private readonly call: PartCall<ClaimsContributor>;
  private readonly noted = new Set<string>();
  private failures = 0;
  private pausedUntilMs = 0;

  constructor(
    filled: Filled<ClaimsContributor>,
    private readonly calls: PartCalls,
    private readonly clock: Clock,
  ) {
    const { scopes, claims, places = USUAL_PLACES, timeoutMs = USUAL_LIMIT_MS } = filled.part;
    this.scopes = new Set(scopes);
    this.names = new Set(claims);
    this.places = new Set(places);
    this.call = { seam: CLAIMS, of: filled, limitMs: timeoutMs };
  }

  isAsked(place: ClaimsPlace, scopes: readonly string[], byName: readonly string[]): boolean {
    return this.places.has(place) && (this.isInScope(scopes) || byName.some((name) => this.names.has(name)));
  }

  /** Name and value of each claim. */
  async claims({ byName, ...asked }: AskedClaims): Promise<Array<[string, unknown]>> {
    const { part } = this.call.of;
    const claimNames = byName.filter((name) => this.names.has(name));
    if (this.clock.elapsedMs() < this.pausedUntilMs) return this.failed();
    try {
      // Copies: the lists say what the whole answer may contain, and those of a token serve its later requests as well.
      const question = { ...asked, scopes: [...asked.scopes], claimNames: [...claimNames] };
      const answer = await this.calls.call(this.call, (_, signal) => part.contribute(question, signal));
      const wanted = this.isInScope(asked.scopes) ? this.names : new Set(claimNames);
      const claims = this.checked(answer, wanted);
      this.noteUndeclared(answer);
      this.failures = 0;
      return claims;
    } catch {
      this.failures += 1;
      if (this.failures % FAILURES_IN_A_ROW === 0) this.pausedUntilMs = this.clock.elapsedMs() + PAUSE_MS;
      return this.failed();
    }
  }

  private isInScope(scopes: readonly string[]): boolean {
    return scopes.some((scope) => this.scopes.has(scope));
  }

  /** A copy of what is in the answer: own members alone, as JSON has them. */
  private checked(answer: unknown, wanted: ReadonlySet<string>): Array<[string, unknown]> {
    try {
      if (typeof answer !== 'object' || answer === null) throw new Error('Its answer is not an object.');
      const claims = Object.entries(answer).filter(([name, value]) => wanted.has(name) && value != null);
      const text = JSON.stringify(Object.fromEntries(claims));
      if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`Its claims take more than ${MAX_BYTES} bytes.`);
      return Object.entries(JSON.parse(text) as Record<string, unknown>);
    } catch (error) {
      throw this.calls.fail(this.call, error);
    }
  }

  private noteUndeclared(answer: object): void {
    for (const claim of Object.keys(answer)) {
      if (this.names.has(claim) || this.noted.has(claim) || this.noted.size >= MOST_NOTED) continue;
      this.noted.add(claim);
      this.calls.warn(
        this.call,
        { reason: 'extension.claim_undeclared', claim },
        'an extension answers a claim that its contributor does not list in claims: it is left out',
      );
    }
  }

  private failed(): [] {
    if (this.call.of.part.onFailure !== 'refuse') return [];
    throw new DomainError(
      'Unavailable',
      'extension.claims_unavailable',
      'Claims about the user cannot be read at the moment. Try again later.',
      { retryAfterSeconds: PAUSE_MS / 1000 },
    );
  }
}
