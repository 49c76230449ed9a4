import { Injectable } from '@nestjs/common';
import type { Candidate } from '../../session/candidate.js';
import { FactorService } from '../../user/factor/factor.service.js';
import type { Case } from './case.js';
import type { HeldKind } from './link.js';

/** Counts what a person can prove who they are with; never what it is. */
@Injectable()
export class HeldKinds {
  constructor(private readonly factors: FactorService) {}

  async of({ user, linked }: Case, candidate: Candidate | undefined): Promise<HeldKind[]> {
    if (user.kind !== 'human') return [];
    const held = await this.factors.list(user.id);
    const counts = new Map<string, number>();
    const add = (word: string, count: number): void => void counts.set(word, (counts.get(word) ?? 0) + count);
    if (candidate?.account.passwordHash != null) add('password', 1);
    for (const factor of held) {
      if (factor.state !== 'ready') continue;
      add(factor.kind, factor.kind === 'recovery_codes' ? factor.left : 1);
    }
    add('provider', linked.length);
    return [...counts].filter(([, count]) => count > 0).map(([word, count]) => ({ kind: word, count }));
  }
}
