import { Injectable } from '@nestjs/common';
import { DomainError } from 'gatehouse';

/** How many searches of an organization run at a time in a process. */
const MOST = 4;
/** As long as a search may take itself. */
const LONGEST_WAIT_MS = 5_000;
const SECONDS_UNTIL_RETRY = 2;

interface Organization {
  running: number;
  readonly waiting: Array<() => void>;
}

/**
 * Few searches of an organization run at a time: one filter may look at everybody, and the directory of one
 * organization shall not keep the database from all others (SCM-017). Who waits here holds no connection.
 */
@Injectable()
export class Searches {
  private readonly organizations = new Map<string, Organization>();

  /** @throws DomainError ResourceExhausted `scim.searches_busy` */
  async run<T>(orgId: string, search: () => Promise<T>): Promise<T> {
    const organization = this.organizations.get(orgId) ?? { running: 0, waiting: [] };
    this.organizations.set(orgId, organization);
    if (organization.running < MOST) organization.running += 1;
    else await turnIn(organization.waiting);
    try {
      return await search();
    } finally {
      this.pass(orgId, organization);
    }
  }

  /** To whoever waits longest. */
  private pass(orgId: string, organization: Organization): void {
    const next = organization.waiting.shift();
    if (next) return next();
    organization.running -= 1;
    if (organization.running === 0) this.organizations.delete(orgId);
  }
}

async function turnIn(waiting: Array<() => void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(tooManySearches());
    }, LONGEST_WAIT_MS);
    const begin = (): void => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(begin);
  });
}

function tooManySearches(): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'scim.searches_busy',
    `At most ${MOST} searches of an organization run at a time, and these take long: search for exact values.`,
    { retryAfterSeconds: SECONDS_UNTIL_RETRY },
  );
}
