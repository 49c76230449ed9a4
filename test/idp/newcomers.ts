import type { User } from '../../src/user/user.entity.js';
import type { TestOrg } from '../support/builders.js';
import type { RelyingParty } from '../support/relying-party.js';
import type { Claims, Upstream } from '../support/upstream.js';
import type { World } from '../support/world.js';
import { visit } from './external.js';

/** Users whom a provider knows and the service does not, yet. */
export class Newcomers {
  private count = 0;

  constructor(
    private readonly world: World,
    private readonly upstream: Upstream,
    private readonly org: TestOrg,
    /** A provider that registers users. */
    private readonly idpId: string,
  ) {}

  /** The name of a user at the provider whom nobody has seen before. */
  newSubject(): string {
    this.count += 1;
    return `somebody-${this.count}`;
  }

  /** An application asks for users of the organization. */
  ofOrg(): { scope: string } {
    return { scope: `openid urn:service:iam:org:id:${this.org.id}` };
  }

  /** The account that a user got at their first visit. */
  async accountOf(subject: string, idpId = this.idpId): Promise<User | undefined> {
    const [row] = await this.world.rows<User>(
      `SELECT u.id, u.org_id AS "orgId", u.state, u.user_name AS "userName", u.first_name AS "firstName",
         u.last_name AS "lastName", u.display_name AS "displayName", u.nick_name AS "nickName",
         u.preferred_language AS "preferredLanguage", u.email, u.email_verified AS "emailVerified", u.phone,
         u.phone_verified AS "phoneVerified", u.password_hash AS "passwordHash"
       FROM user_account u
       JOIN idp_link l ON l.user_id = u.id
       WHERE l.idp_id = $1 AND l.external_user_id = $2`,
      [idpId, subject],
    );
    return row;
  }

  /** Their first visit. @throws Error when it does not end with an account */
  async visit(rp: RelyingParty, about: Claims, idpId = this.idpId): Promise<User> {
    const sub = (about['sub'] as string | undefined) ?? this.newSubject();
    const claims = { email: `${sub}@mail.test`, email_verified: true, ...about, sub };
    await visit(rp.elsewhere(), this.upstream, idpId, claims, this.ofOrg());
    const account = await this.accountOf(sub, idpId);
    if (!account) throw new Error(`${sub} has no account.`);
    return account;
  }

  /** The kinds of the codes that were sent to a user. */
  async codesOf(userId: string): Promise<Array<{ kind: string }>> {
    return this.world.rows('SELECT kind FROM user_code WHERE user_id = $1', [userId]);
  }

  /** How many accounts there are. */
  async accounts(): Promise<number> {
    return (await this.world.rows<{ n: number }>('SELECT count(*)::int AS n FROM user_account'))[0]!.n;
  }
}
