import { Injectable } from '@nestjs/common';
import type { Secret } from '../foundation/config/secret.js';
import { MAX_PASSWORD_CHARACTERS } from '../foundation/password/password-hash.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { brokenRules, type PasswordPolicy, type PasswordRule } from './password-policy.js';
import { userInvalid } from './user.errors.js';

/** The rules for new passwords of an organization's users. */
@Injectable()
export class PasswordPolicyService {
  constructor(private readonly policies: PolicyService) {}

  /** The policy for passwords that people choose: longer ones where nothing else is asked for when they sign in. */
  async of(orgId: string): Promise<PasswordPolicy> {
    const { minLengthWithoutSecondFactor } = await this.policies.effective('passwordComplexity', orgId);
    const { forceMfa, forceMfaLocalOnly } = await this.policies.effective('login', orgId);
    const rules = await this.ofManagers(orgId);
    const isAlone = !forceMfa && !forceMfaLocalOnly;
    return isAlone ? { ...rules, minLength: Math.max(rules.minLength, minLengthWithoutSecondFactor) } : rules;
  }

  private async ofManagers(orgId: string): Promise<PasswordPolicy> {
    const { minLength, hasLowercase, hasUppercase, hasNumber, hasSymbol } = await this.policies.effective(
      'passwordComplexity',
      orgId,
    );
    return { minLength, lowercase: hasLowercase, uppercase: hasUppercase, number: hasNumber, symbol: hasSymbol };
  }

  /**
   * Checks a password that managers set through the API, which tells them the policy in the terms of the described
   * system.
   * @throws DomainError InvalidArgument with a violation of `field` for each broken rule
   */
  async check(orgId: string, password: Secret, field: string): Promise<void> {
    const policy = await this.ofManagers(orgId);
    const broken = brokenRules(password.reveal(), policy);
    if (broken.length > 0) throw userInvalid(broken.map((rule) => ({ field, description: describe(rule, policy) })));
  }
}

function describe(rule: PasswordRule, { minLength }: PasswordPolicy): string {
  switch (rule) {
    case 'minLength':
      return `must have ${minLength} characters or more`;
    case 'maxLength':
      return `must have at most ${MAX_PASSWORD_CHARACTERS} characters`;
    case 'lowercase':
      return 'must contain a lowercase letter';
    case 'uppercase':
      return 'must contain an uppercase letter';
    case 'number':
      return 'must contain a digit';
    case 'symbol':
      return 'must contain a symbol';
  }
}
