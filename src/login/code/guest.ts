import { paths, type ServicePath } from '../../org/instance/paths.js';
import type { PageSetting } from '../../page/page-settings.js';
import type { FormTarget } from '../../page/part/form.js';
import type { SentBrowser } from '../../session/session.service.js';
import type { Visit } from '../visit.js';
import { type CodeLink, fieldsOf } from './code-link.js';

export interface GuestFacts {
  readonly link: CodeLink;
  /** The pending sign-in that the link names, if it belongs to this browser; it continues afterwards. */
  readonly visit: Visit | undefined;
  readonly browser: SentBrowser;
  /** The new cookie value for a browser that has sent none. */
  readonly newCookieValue: string | undefined;
  /** The organization whose policies apply, as far as it is known. */
  readonly orgId: string;
  readonly setting: PageSetting;
  readonly address: string;
  readonly formTarget: string | undefined;
  readonly csrfFor: (path: ServicePath, userId: string) => string;
}

/**
 * A visitor who follows the link of a mail, possibly in another browser than the one with the sign-in, and not signed
 * in.
 */
export class Guest {
  constructor(private readonly facts: GuestFacts) {}

  get link(): CodeLink {
    return this.facts.link;
  }

  get visit(): Visit | undefined {
    return this.facts.visit;
  }

  get browser(): SentBrowser {
    return this.facts.browser;
  }

  get newCookieValue(): string | undefined {
    return this.facts.newCookieValue;
  }

  get orgId(): string {
    return this.facts.orgId;
  }

  get setting(): PageSetting {
    return this.facts.setting;
  }

  get address(): string {
    return this.facts.address;
  }

  /** The sites at which redirects after a form may end: those of the pending application or of the default page. */
  get formTarget(): string | undefined {
    return this.facts.formTarget;
  }

  /** The first page of the sign-in that continues afterwards. */
  get signInHref(): ServicePath | undefined {
    return this.visit && paths.hub;
  }

  formTo(action: ServicePath, link: CodeLink = this.link): FormTarget {
    return {
      action,
      csrf: this.facts.csrfFor(action, link.userId),
      authRequestId: this.visit?.carried.authRequestId,
      fields: { ...fieldsOf(link), ui_locales: this.setting.language },
    };
  }
}
