import { Injectable } from '@nestjs/common';
import { Clock, DomainError, Secret, type SecretPlace, Vault } from 'gatehouse';
import type { NameId } from '../protocol/name-id.js';
import { SamlRefusal } from '../refusal.js';

/** What a verified request for logout has asked for. */
export interface LogoutOrder {
  readonly clientId: string;
  readonly requestId: string;
  readonly nameId: NameId;
  /** Which sessions; all if there are none. */
  readonly sessionIndexes: readonly string[];
  readonly relayState?: string;
}

interface Sealed {
  readonly order: LogoutOrder;
  readonly until: number;
}

/** The browser follows at once. */
const LIFETIME_MS = 60_000;
/** Not a row: it is sealed for the way through the browser alone. */
const PLACE: SecretPlace = { table: 'ext_saml.logout', column: 'request', row: 'on the way' };

/** Carries orders through the browser, where a form of another site has come without our cookie. */
@Injectable()
export class LogoutOrders {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  seal(order: LogoutOrder): string {
    const sealed: Sealed = { order, until: this.clock.now().getTime() + LIFETIME_MS };
    return this.vault.seal(new Secret(JSON.stringify(sealed)), PLACE);
  }

  /** @throws SamlRefusal `value_malformed`, `message_expired` */
  open(sealed: string): LogoutOrder {
    const { order, until } = JSON.parse(this.reveal(sealed)) as Sealed;
    if (until < this.clock.now().getTime()) throw new SamlRefusal('message_expired');
    return order;
  }

  private reveal(sealed: string): string {
    try {
      return this.vault.open(sealed, PLACE).reveal();
    } catch (error) {
      // Here it is what a browser has sent, and no row that was altered.
      if (error instanceof DomainError) throw new SamlRefusal('value_malformed', 'a sealed order');
      throw error;
    }
  }
}
