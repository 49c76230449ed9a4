import { Injectable } from '@nestjs/common';
import { readQuery } from '../../foundation/http/request.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import type { AccountActivity, AccountDeed } from '../../page/account/account-activity.page.js';
import type { LoginPage } from '../../page/render.js';
import { UserActivity, type UserEvent } from '../../session/user-activity.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';
import { Drafts } from '../draft.js';

/**
 * The sentence of each event, by the beginning of its type; the first that fits. `null`: steps of the service that its
 * user did not take and cannot judge.
 */
const DEEDS: ReadonlyArray<readonly [type: string, what: AccountDeed | null]> = [
  ['session.signed_in', 'signedIn'],
  ['session.ended', 'signedOut'],
  ['user.human.added', 'created'],
  ['user.human.password.changed', 'password'],
  ['user.human.password', null],
  ['user.human.profile.changed', 'profile'],
  ['user.human.email.verified', 'emailConfirmed'],
  ['user.human.email.changed', 'email'],
  ['user.human.email', null],
  ['user.human.phone', 'phone'],
  ['user.username.changed', 'loginName'],
  ['user.domain.claimed', 'loginName'],
  ['user.human.mfa.otp.added', null],
  ['user.human.mfa.otp.verified', 'stepAdded'],
  ['user.human.mfa.otp.removed', 'stepRemoved'],
  ['user.human.mfa.init.skipped', null],
  ['user.human.otp.email.code', null],
  ['user.human.otp.email.added', 'stepAdded'],
  ['user.human.otp.email.removed', 'stepRemoved'],
  ['user.human.recoverycode.', null],
  ['user.human.recoverycodes.added', 'codes'],
  ['user.human.recoverycodes.removed', 'stepRemoved'],
  ['user.human.externalidp.added', 'linked'],
  ['user.human.externalidp', 'unlinked'],
  ['user.human.initialization.check', 'emailConfirmed'],
  ['user.human.initialization', null],
  ['user.access.removed', 'accessRemoved'],
  ['user.impersonated', 'impersonated'],
  ['user.signed_in', 'signedIn'],
  ['user.tokens.ended', 'signedOutEverywhere'],
  ['user.state.locked', 'locked'],
  ['user.state.inactive', 'closed'],
  ['user.state.active', 'opened'],
  ['user.removal.requested', 'closed'],
  ['user.removal.withdrawn', 'opened'],
];
const KEY_ADDED = /^user\.human\.(?:mfa\.u2f|passwordless)\.token\.(?:verified|added)$/;
const KEY_REMOVED = /^user\.human\.(?:mfa\.u2f|passwordless)\.token\.removed$/;

/** What happened to the account, from the journal. */
@Injectable()
export class ActivitySection implements AccountSection<never> {
  readonly name = 'activity';
  readonly path = paths.accountActivity;
  readonly kept = [];

  constructor(
    private readonly activity: UserActivity,
    private readonly drafts: Drafts,
  ) {}

  async isOpen(): Promise<boolean> {
    return true;
  }

  async page({ session, http }: SignedInVisit, { frame }: Opened): Promise<LoginPage> {
    const { userId } = session;
    const place = this.drafts.openPlace(this.path, userId, readQuery(http).find('before'));
    const { events, olderThan } = await this.activity.of(userId, place);
    return {
      page: 'accountActivity',
      frame,
      activities: events.flatMap(toActivity),
      olderHref: olderThan === undefined ? undefined : this.hrefOf(userId, olderThan),
    };
  }

  /** This section has no form. */
  async submit(): Promise<SectionOutcome<never>> {
    throw pageNotFound();
  }

  /** Sealed: the number counts the events of everybody. */
  private hrefOf(userId: string, place: string): ServicePath {
    return `${this.path}?before=${encodeURIComponent(this.drafts.sealPlace(this.path, userId, place))}`;
  }
}

/** The activities of an event: none or one. */
function toActivity({ at, type, payload, by, ...event }: UserEvent): AccountActivity[] {
  const what = deedOf(type);
  if (what === null) return [];
  return [
    {
      at,
      what,
      how: type === 'session.signed_in' ? howOf(payload) : undefined,
      names: [event.agent, event.system, event.actorName, event.application].filter((name) => name !== ''),
      isByAdministrator: by === 'other' && what !== 'impersonated',
    },
  ];
}

function deedOf(type: string): AccountDeed | null {
  if (KEY_ADDED.test(type)) return 'stepAdded';
  if (KEY_REMOVED.test(type)) return 'stepRemoved';
  const known = DEEDS.find(([start]) => type.startsWith(start));
  return known ? known[1] : 'other';
}

function howOf(payload: UserEvent['payload']): AccountActivity['how'] {
  if ('idpConfigId' in payload) return 'provider';
  return 'tokenId' in payload ? 'passkey' : 'password';
}
