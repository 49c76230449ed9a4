import { Injectable } from '@nestjs/common';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import type { Form } from '../foundation/http/form.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import type { ServicePath } from '../org/instance/paths.js';

/** The values typed into a form of a section, except those that prove something. */
export type Typed = Readonly<Record<string, string>>;

interface Draft {
  readonly path: ServicePath;
  readonly userId: string;
  readonly expiresAt: string;
  readonly typed: Typed;
}

/** Longer drafts would not fit into an address with what stands beside them. */
const MAX_SEALED_CHARACTERS = 5_000;
/** A name that no field of a form has. */
const PLACE = ' place';
/** A user who proves who they are returns within the life of that request. */
const LIFETIME_SECONDS = seconds.perHour;

/**
 * A form that was sent before its user had proved who they are. It returns to its own page sealed, so that nothing is
 * stored meanwhile, and nobody else can fill in the form of a user.
 */
@Injectable()
export class Drafts {
  constructor(
    private readonly tokenSeal: TokenSeal,
    private readonly clock: Clock,
  ) {}

  /** Undefined if it is too long: then the form returns empty. */
  seal(path: ServicePath, userId: string, form: Form, fields: readonly string[]): string | undefined {
    const typed = Object.fromEntries(fields.map((name) => [name, form.find(name) ?? '']));
    const expiresAt = secondsAfter(this.clock.now(), LIFETIME_SECONDS).toISOString();
    const draft: Draft = { path, userId, expiresAt, typed };
    const sealed = this.tokenSeal.seal('draft', Buffer.from(JSON.stringify(draft)));
    return sealed.length > MAX_SEALED_CHARACTERS ? undefined : sealed;
  }

  /** A place in a list of this page and this user. */
  sealPlace(path: ServicePath, userId: string, place: string): string {
    const expiresAt = secondsAfter(this.clock.now(), LIFETIME_SECONDS).toISOString();
    const draft: Draft = { path, userId, expiresAt, typed: { [PLACE]: place } };
    return this.tokenSeal.seal('draft', Buffer.from(JSON.stringify(draft)));
  }

  openPlace(path: ServicePath, userId: string, sealed: string | undefined): string | undefined {
    return this.open(path, userId, sealed)?.[PLACE];
  }

  /** Undefined for anything but a draft of this page and this user. */
  open(path: ServicePath, userId: string, sealed: string | undefined): Typed | undefined {
    const payload = sealed === undefined ? undefined : this.tokenSeal.open('draft', sealed);
    if (!payload) return undefined;
    const draft = JSON.parse(payload.toString()) as Draft;
    const isOurs = draft.path === path && draft.userId === userId && new Date(draft.expiresAt) > this.clock.now();
    return isOurs ? draft.typed : undefined;
  }
}
