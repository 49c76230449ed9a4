import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { Details } from '../../foundation/database/recorded.js';
import type { MultiFactor, SecondFactor } from './login-policy.entity.js';
import { policyFactorExists, policyFactorNotFound } from './policy.errors.js';
import { PolicyService } from './policy.service.js';

/** The lists of factors in a login policy, and what is on each. */
export interface LoginFactors {
  readonly secondFactors: SecondFactor;
  readonly multiFactors: MultiFactor;
}

/** The second factors that a login policy allows. */
@Injectable()
export class LoginFactorService {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
  ) {}

  /** @throws DomainError NotFound `policy.not_found`; AlreadyExists `policy.factor_exists` */
  async add<List extends keyof LoginFactors>(
    ownerId: string,
    list: List,
    factor: LoginFactors[List],
    editorId: string,
  ): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const known = await this.factors(tx, ownerId, list);
      if (known.includes(factor)) throw policyFactorExists();
      return this.policies.update(tx, 'login', ownerId, { [list]: [...known, factor] }, editorId);
    });
  }

  /** @throws DomainError NotFound `policy.not_found`, `policy.factor_not_found` */
  async remove<List extends keyof LoginFactors>(
    ownerId: string,
    list: List,
    factor: LoginFactors[List],
    editorId: string,
  ): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const known = await this.factors(tx, ownerId, list);
      if (!known.includes(factor)) throw policyFactorNotFound();
      return this.policies.update(
        tx,
        'login',
        ownerId,
        { [list]: known.filter((other) => other !== factor) },
        editorId,
      );
    });
  }

  private async factors<List extends keyof LoginFactors>(
    tx: Transaction,
    ownerId: string,
    list: List,
  ): Promise<Array<LoginFactors[List]>> {
    const policy = await this.policies.getLocked(tx, 'login', ownerId);
    return policy[list] as Array<LoginFactors[List]>;
  }
}
