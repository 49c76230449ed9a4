import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Secret } from '../../../foundation/config/secret.js';
import { sha256 } from '../../../foundation/crypto/digest.js';
import { newId } from '../../../foundation/crypto/id.js';
import { randomToken } from '../../../foundation/crypto/random.js';
import type { Transaction } from '../../../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../../../foundation/database/purge.js';
import { statement } from '../../../foundation/database/statement.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { type EventMark, Journal } from '../../../foundation/event/journal.js';
import { Clock } from '../../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../../foundation/time/duration.js';
import type { Project } from '../../project.entity.js';
import { registrationTokenNotFound } from '../client.errors.js';
import type { RegistrationLimits } from './registration-rules.js';
import { RegistrationToken } from './registration-token.entity.js';

const MAX_REGISTRATION_TOKEN_DAYS = 30;
const PREFIX = 'gti_';
/** 256 bits. */
const TOKEN_BYTES = 32;
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/;

export interface NewRegistrationToken extends RegistrationLimits {
  readonly uses: number;
  /** Absent: in 30 days, which is also the latest. */
  readonly expiresAt: Date | undefined;
}

/** The meaning of a token that was just spent. */
export interface SpentRegistrationToken extends RegistrationLimits {
  readonly projectId: string;
}

/** Spends a token in one statement: of many that present the last use at once, its row count lets one through. */
const SPEND = statement(
  'registration_token.spend',
  `UPDATE registration_token t
   SET uses_left = t.uses_left - 1
   FROM project p
   JOIN org o ON o.id = p.org_id AND o.state = 'active'
   WHERE t.token_hash = :hash
     AND t.uses_left > 0
     AND t.expires_at > :now
     AND p.id = t.project_id
     AND p.state = 'active'
   RETURNING
     t.project_id AS "projectId",
     t.redirect_hosts AS "redirectHosts",
     t.device_code AS "deviceCode"`,
).rows<SpentRegistrationToken>();

const PURGE = purgeStatement('registration_token', 'id', 'expires_at < :moment');

/** Initial access tokens (RFC 7591 §3): made by administrators, spent by applications. */
@Injectable()
export class RegistrationTokens implements Purge {
  constructor(
    @InjectRepository(RegistrationToken) private readonly rows: Repository<RegistrationToken>,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** The token, which is returned only here. @throws DomainError InvalidArgument */
  async add(
    tx: Transaction,
    project: Project,
    { uses, expiresAt: given, redirectHosts, deviceCode }: NewRegistrationToken,
    editorId: string,
  ): Promise<{ token: Secret; stored: RegistrationToken }> {
    const now = this.clock.now();
    const latest = secondsAfter(now, MAX_REGISTRATION_TOKEN_DAYS * seconds.perDay);
    const expiresAt = given ?? latest;
    const violations = [
      ...(expiresAt > now && expiresAt <= latest
        ? []
        : [
            {
              field: 'expirationDate',
              description: `must be in the future, at most ${MAX_REGISTRATION_TOKEN_DAYS} days ahead`,
            },
          ]),
      ...redirectHosts.flatMap((host, index) =>
        HOST.test(host)
          ? []
          : [{ field: `redirectHosts[${index}]`, description: 'must be a host name in lower case, without a port' }],
      ),
    ];
    if (violations.length > 0) throw invalidFields(violations);
    const token = new Secret(PREFIX + randomToken(TOKEN_BYTES));
    const id = newId();
    const values = {
      id,
      projectId: project.id,
      usesLeft: uses,
      expiresAt,
      redirectHosts: [...redirectHosts],
      deviceCode,
    };
    const mark = await this.append(tx, project, id, 'registration.token.added', editorId, values);
    const history = { sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at };
    const stored = { ...values, ...history, tokenHash: sha256(token.reveal()) };
    await tx.of(this.rows).insert(stored);
    return { token, stored };
  }

  /** The tokens of a project that can still be used, newest first. */
  async list(projectId: string): Promise<RegistrationToken[]> {
    const now = this.clock.now();
    const all = await this.rows.find({
      where: { projectId },
      order: { creationDate: 'DESC', id: 'DESC' },
    });
    return all.filter(({ usesLeft, expiresAt }) => usesLeft > 0 && expiresAt > now);
  }

  /** @throws DomainError NotFound `client.registration_token_not_found` */
  async remove(tx: Transaction, project: Project, id: string, editorId: string): Promise<EventMark> {
    const { affected } = await tx.of(this.rows).delete({ id, projectId: project.id });
    if (affected !== 1) throw registrationTokenNotFound();
    return this.append(tx, project, id, 'registration.token.removed', editorId, {});
  }

  /** Spends one use of a token; undefined if it is unknown, expired or used up, or its project is not active. */
  async spend(tx: Transaction, token: string): Promise<SpentRegistrationToken | undefined> {
    if (!token.startsWith(PREFIX)) return undefined;
    const [spent] = await tx.query(SPEND, { hash: sha256(token), now: this.clock.now() });
    return spent;
  }

  async purge(tx: Transaction, now: Date): Promise<number> {
    return runPurge(tx, PURGE, now);
  }

  private async append(
    tx: Transaction,
    project: Project,
    id: string,
    type: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    const { orgId } = project;
    return this.journal.append(tx, {
      aggregateType: 'registration_token',
      aggregateId: id,
      type,
      orgId,
      editorId,
      payload,
    });
  }
}
