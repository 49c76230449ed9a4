import { Injectable } from '@nestjs/common';
import type { AuthRequest } from '../../session/auth-request/auth-request.js';
import { isFactorRequired } from '../../session/auth-request/factor-step.js';
import type { SignInStep } from '../../session/auth-request/next-step.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import { ApplicationLinks, type ExplainedApplication } from './application-links.js';
import { type Case, reachOf } from './case.js';
import { type Link, link, type Mend } from './link.js';
import { day, history, listed, minute } from './wording.js';

/** A page of the supposed sign-in, and what was known when it was due. */
export interface AskedStep {
  readonly step: SignInStep;
  readonly request: AuthRequest;
  readonly session: BrowserSession | undefined;
  /** An extension demands two factors. */
  readonly isDemandedByExtension: boolean;
}

/** What all steps of one sign-in have in common. */
export interface Journey {
  readonly application: ExplainedApplication;
  /** `with the password` */
  readonly way: string;
  readonly isPasswordExpired: boolean;
}

const FACTOR_NAMES = { u2f: 'a security key', otp: 'an authenticator app', otp_email: 'codes by e-mail' } as const;

/** Says of each page of a sign-in why it comes. */
@Injectable()
export class StepLinks {
  constructor(
    private readonly applications: ApplicationLinks,
    private readonly keys: PasskeyService,
  ) {}

  async of(given: Case, journey: Journey, asked: AskedStep): Promise<Link> {
    const { step } = asked;
    const { name } = given;
    const asks = (code: Link['code'], sentence: string, more: Partial<Link> = {}): Link =>
      link({ code, effect: 'asks', step, sentence, ...more });
    if (step.startsWith('ext/')) {
      const [, extension = '', part = ''] = step.split('/');
      const sentence = `The extension ${extension} asks ${name} for its step ${part}.`;
      const rule = { ...OF_EXTENSION, name: part, ownerId: extension, ownerName: extension };
      return asks('extension_step', sentence, { rule });
    }
    switch (step as Exclude<SignInStep, `ext/${string}`>) {
      case 'login-name':
        return asks('login_name', `${name} is asked for the login name, which is ${nameOf(given)}.`);
      case 'password':
        return asks('password', `${name} is asked for the password.`);
      case 'passkey':
        return asks('passkey', `${name} is asked for a passkey.`);
      case 'external-login':
      case 'directory':
        return asks('provider', `${name} signs in ${journey.way}.`);
      case 'external-user':
        return asks(
          'unknown_account',
          `The account that comes back is not known here: ${name} is asked whether there is an account to link it with.`,
        );
      case 'link-account':
        return asks('link_account', `${name} is asked whether to link the account at the identity provider.`);
      case 'register':
        return asks('register', `The application asks for a registration: ${name} says that there is an account.`);
      case 'select-account':
        return asks('select_account', `${name} is asked which account to continue with.`);
      case 'security-key':
      case 'totp':
      case 'email-code':
      case 'recovery-code':
        return this.factor(given, asked, asks);
      case 'offer-factor':
        return this.offer(given, asked, asks);
      case 'offer-passkey':
      case 'offer-passkey-here':
        return asks('passkey_offered', `${name} is offered a passkey, and may decline.`);
      case 'set-up-totp':
        return asks('factor_set_up', `${name} sets up an authenticator app and types its first code.`);
      case 'set-up-email-code':
        return asks('factor_set_up', `${name} types the first code that comes by e-mail.`);
      case 'set-up-security-key':
        return asks('factor_set_up', `${name} sets up a security key.`);
      case 'set-up-passkey':
        return asks('factor_set_up', `${name} sets up a passkey.`);
      case 'name-key':
        return asks('factor_set_up', `${name} gives the new key a name.`);
      case 'recovery-codes':
        return asks('recovery_codes', `${name} is shown recovery codes, and is asked to keep them.`);
      case 'verify-email':
        return this.email(given, asks);
      case 'change-password':
        return this.password(given, journey, asks);
      case 'password-expiry':
        return this.expiry(given, asked, asks);
      case 'consent':
        return this.consent(given, journey, asked, asks);
      case 'confirm-device':
        return asks('device', `${name} is asked whether to let the device in.`);
    }
  }

  /** The second factor that the user has; a lost one is removed, and the user sets up another. */
  private async factor(given: Case, asked: AskedStep, asks: Asks): Promise<Link> {
    const { name } = given;
    const what = {
      'security-key': 'the security key',
      totp: 'a code of the authenticator app',
      'email-code': 'a code that comes by e-mail',
      'recovery-code': 'a recovery code',
    }[asked.step as 'totp'];
    const reason = await this.whyTwo(given, asked);
    const { session } = asked;
    const spare = session?.factor.hasRecoveryCodes ? ' A recovery code does instead.' : '';
    const because = reason.text === '' ? `${name} has set up a second factor` : reason.text.replace(/\.$/, '');
    return asks('second_factor', `${because}. ${name} is asked for ${what}.${spare}`, {
      rule: reason.rule,
      mends: await this.removals(given, asked.step),
    });
  }

  private async removals(given: Case, step: SignInStep): Promise<Mend[]> {
    const { sight, user } = given;
    const common = { permission: 'user.write', reach: reachOf(given) } as const;
    const parameters = { userId: user.id };
    if (step === 'totp') return [sight.mend({ ...common, operationId: 'RemoveHumanAuthFactorOTP', parameters })];
    if (step === 'email-code')
      return [sight.mend({ ...common, operationId: 'RemoveHumanAuthFactorOTPEmail', parameters })];
    const keys = await this.keys.list(user.id);
    return keys.map(({ id, kind }) =>
      sight.mend({
        ...common,
        operationId: kind === 'passkey' ? 'RemoveHumanPasswordless' : 'RemoveHumanAuthFactorU2F',
        parameters: { ...parameters, tokenId: id },
      }),
    );
  }

  private async offer(given: Case, asked: AskedStep, asks: Asks): Promise<Link> {
    const { name } = given;
    const { session, request } = asked;
    const choices = session?.factor.available.map((kind) => FACTOR_NAMES[kind]) ?? [];
    const among = choices.length > 0 ? ` (${listed(choices, 'or')})` : '';
    if (!session || !(isFactorRequired(session, request) || asked.isDemandedByExtension)) {
      const sentence = `${name} is offered to set up a second factor${among}, and may decline.`;
      return asks('second_factor_offered', sentence);
    }
    const { text, rule } = await this.whyTwo(given, asked);
    const sentence = `${text} ${name} has none and will be asked to set one up${among}.`;
    return asks('second_factor_missing', sentence, { rule });
  }

  /** Who demands two factors; nothing if the user merely has a second one. */
  private async whyTwo(
    given: Case,
    { request, session, isDemandedByExtension }: AskedStep,
  ): Promise<{ readonly text: string; readonly rule?: Link['rule'] }> {
    if (isDemandedByExtension) return { text: 'An extension requires a second factor.' };
    if (given.asked.isSecondFactorDemanded && request.secondFactorRequired)
      return { text: 'The application demands two factors by its request.' };
    if (!session?.factor.isForced(session.isByProvider)) return { text: '' };
    const { rules, user } = given;
    const { policy } = await rules.policy('login', user.orgId);
    const voice = await rules.voice('login', user.orgId, policy.forceMfa ? 'forceMfa' : 'forceMfaLocalOnly');
    return { text: voice.says('requires a second factor'), rule: voice.rule };
  }

  private email(given: Case, asks: Asks): Link {
    const { name, user, sight } = given;
    const common = { permission: 'user.write', reach: reachOf(given) } as const;
    const parameters = { userId: user.id, email: user.email, isEmailVerified: true };
    const sentence = `The e-mail address of ${name} has not been verified. ${name} gets a code there and must type it before going on.`;
    return asks('email_unverified', sentence, {
      mends: [
        sight.mend({ ...common, operationId: 'UpdateHumanEmail', parameters }),
        sight.mend({
          ...common,
          operationId: 'ResendHumanEmailVerification',
          parameters: { userId: user.id },
        }),
      ],
    });
  }

  private async password(given: Case, { isPasswordExpired }: Journey, asks: Asks): Promise<Link> {
    const { name, rules, user } = given;
    if (isPasswordExpired) {
      const { policy } = await rules.policy('passwordAge', user.orgId);
      const voice = await rules.voice('passwordAge', user.orgId, 'maxAgeDays');
      const demand = voice.rule ? voice.says(`lets passwords expire after ${policy.maxAgeDays} days`) : '';
      const sentence = `${demand} The password of ${name} has expired, and ${name} must choose a new one.`.trim();
      return asks('password_expired', sentence, { rule: voice.rule });
    }
    const types = ['user.human.password.changed', 'user.human.added', 'user.human.password.expired'];
    const change = await rules.change({ aggregateType: 'user', aggregateId: user.id, types });
    const sentence = `${name} must choose a new password, because the present one was set by somebody else${change ? history(change) : ''}.`;
    return asks('password_change_required', sentence);
  }

  private async expiry(given: Case, { request }: AskedStep, asks: Asks): Promise<Link> {
    const { name, rules, user } = given;
    const voice = await rules.voice('passwordAge', user.orgId, 'expireWarnDays');
    const when = request.passwordExpiresAt ? ` on ${day(request.passwordExpiresAt)}` : ' soon';
    const sentence = `The password of ${name} expires${when}. ${name} is warned, and may go on.`;
    return asks('password_expires_soon', sentence, { rule: voice.rule });
  }

  private async consent(given: Case, { application }: Journey, { request }: AskedStep, asks: Asks): Promise<Link> {
    const { name } = given;
    const { found, client } = application;
    const agree = `${name} is asked to agree.`;
    if (request.administers) return asks('consent', `The application wants to use the administrative API. ${agree}`);
    if (request.leavesOrg)
      return asks('consent', `The tokens would also be for projects of another organization. ${agree}`);
    if (client?.describesItself)
      return asks('consent', `The application describes itself, and is shown each time. ${agree}`);
    const voice = await this.applications.setting(given, found, 'consentPage');
    const asked = request.prompts.includes('consent') ? ' It wants to be asked again each time.' : '';
    const sentence = `${voice.says('asks people before it gets anything')}${asked} ${agree}`;
    return asks('consent', sentence, { rule: voice.rule });
  }
}

type Asks = (code: Link['code'], sentence: string, more?: Partial<Link>) => Link;

const OF_EXTENSION = {
  setting: '',
  ownerType: 'extension',
  changedById: '',
  changedByName: '',
  isDefault: false,
} as const;

function nameOf({ asked, user }: Case): string {
  return asked.loginName === '' ? user.preferredLoginName : asked.loginName;
}

/** The moment until which a limit holds, for a sentence. */
export function untilWhen(moment: Date): string {
  return `until ${minute(moment)}`;
}
