import { Injectable, Module } from '@nestjs/common';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { NewClient } from '../../src/project/client/client-settings.js';
import { type ExtGrant, GRANT, type GrantDecision, type GrantQuestion } from '../../src/project/client/ext-grant.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestPerson } from '../support/builders.js';
import type { Headers, Parameters, Reply } from '../support/http.js';
import { RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

export const BADGE = 'urn:example:badge';
export const KIOSK = 'urn:example:kiosk';
/** Of every badge. */
export const PIN = '4711';

/** Badges whose number is the id of a user; `does` breaks it. */
@Injectable()
export class BadgeGrant implements ExtGrant {
  static does: ((question: GrantQuestion) => unknown) | undefined;
  static asked: GrantQuestion[] = [];
  readonly name: string = BADGE;
  readonly parameters = [{ name: 'badge', maxLength: 50 }, { name: 'pin' }, { name: 'door', optional: true }];
  readonly guessedFor: string = 'badge';
  readonly refreshTokens: boolean = true;
  readonly timeoutMs = 400;

  async decide(question: GrantQuestion): Promise<GrantDecision> {
    BadgeGrant.asked.push(question);
    if (BadgeGrant.does) return BadgeGrant.does(question) as GrantDecision;
    const { badge, pin } = question.parameters;
    if (pin !== PIN) return { error: 'invalid_grant', description: 'The PIN is wrong.' };
    return { userId: badge!, amr: ['hwk', 'pin'] };
  }
}

/** For applications that do not authenticate, and without refresh tokens. */
@Injectable()
class KioskGrant extends BadgeGrant implements ExtGrant {
  override readonly name = KIOSK;
  override readonly refreshTokens = false;
  override readonly guessedFor = 'pin';
  readonly publicClients = true;
}

@Module({ providers: [BadgeGrant, KioskGrant] })
class BadgeModule {}

export const badge = defineExtension({
  id: 'badge',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: BadgeModule,
  provides: [provide(GRANT, BadgeGrant), provide(GRANT, KioskGrant)],
});

/** Applications of a project that use the grants, and alice, who has a badge. */
export class BadgeStage {
  private constructor(
    readonly world: World,
    readonly alice: TestPerson,
    /** An owner of the instance. */
    readonly api: AdminApi,
    readonly projectId: string,
    /** The application that asks unless another one is named. */
    readonly party: RelyingParty,
  ) {}

  static async set(): Promise<BadgeStage> {
    const world = await startWorld({ extensions: [badge], loginLimits: 'on', env: { METRICS: 'on' } });
    const org = await world.add.org('badge.test');
    const { api } = await callerWith(world, org, ['IAM_OWNER']);
    const projectId = await world.add.project({ orgId: org.id });
    return new BadgeStage(world, await world.cast.alice, api, projectId, await partyOf(world, projectId));
  }

  async partyWith(over: Partial<NewClient> = {}): Promise<RelyingParty> {
    return partyOf(this.world, this.projectId, over);
  }

  form(over: Parameters = {}): Parameters {
    return { grant_type: BADGE, badge: this.alice.id, pin: PIN, scope: 'openid', ...over };
  }

  async ask(over: Parameters = {}, by = this.party, more: Headers = {}): Promise<Reply> {
    return by.token(this.form(over), this.world, more);
  }

  async granted(over: Parameters = {}, by = this.party): Promise<Tokens> {
    return tokensOf(await this.ask(over, by));
  }
}

async function partyOf(world: World, projectId: string, over: Partial<NewClient> = {}): Promise<RelyingParty> {
  return new RelyingParty(
    world,
    await world.add.client({ projectId, extensionGrants: [BADGE, KIOSK], accessTokenType: 'jwt', ...over }),
  );
}

export function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : `${reply.status} ${reply.json<{ error: string }>().error}`;
}

/** Grants decide as usual again, and have not been asked. */
export function forgetBadges(): void {
  BadgeGrant.does = undefined;
  BadgeGrant.asked = [];
}
