import { Global, Injectable, Module } from '@nestjs/common';

/** Occurrences that are counted, besides requests. */
export type Tally =
  | 'signIns'
  | 'tokens'
  | 'exchanges'
  | 'devices'
  | 'logoutCalls'
  | 'webhookCalls'
  | 'clientDocuments'
  | 'requestObjects'
  | 'registrations'
  | 'proofs'
  | 'extensionFailures';

/** Counts what alarms need, whether or not metrics are on: an addition costs less than to ask. */
@Injectable()
export class Tallies {
  private readonly counts = new Map<Tally, Map<string, number>>();

  /** `label`: one of few words of ours, never of a caller (OPS-011). */
  add(tally: Tally, label: string): void {
    const counts = this.counts.get(tally) ?? new Map<string, number>();
    this.counts.set(tally, counts.set(label, (counts.get(label) ?? 0) + 1));
  }

  of(tally: Tally): ReadonlyMap<string, number> {
    return this.counts.get(tally) ?? new Map();
  }
}

@Global()
@Module({ providers: [Tallies], exports: [Tallies] })
export class TalliesModule {}
