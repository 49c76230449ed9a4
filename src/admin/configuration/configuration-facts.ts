import { Injectable } from '@nestjs/common';
import { AffectedPeople } from '../../management/org/affected-people.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { LoginTextService } from '../../text/login-text.service.js';
import type { MessageKind } from '../../text/message-catalogue/message-text.js';
import { TextService } from '../../text/text.service.js';

/** What no operation answers: which texts there are, and whom a change affects. */
@Injectable()
export class ConfigurationFacts {
  constructor(
    readonly people: AffectedPeople,
    private readonly instances: InstanceService,
    private readonly texts: TextService,
    private readonly logins: LoginTextService,
  ) {}

  /** The project of this service itself, whose applications are its own addresses. */
  async systemProjectId(): Promise<string> {
    return (await this.instances.get()).systemProjectId;
  }

  /** The languages in which an organization, or else the instance, has its own texts of a message. */
  async messageTexts(orgId: string | undefined, kind: MessageKind): Promise<readonly string[]> {
    return this.texts.languagesOf(orgId ?? (await this.instances.get()).id, kind);
  }

  /** The languages in which an organization, or else the instance, has its own texts of the login pages. */
  async loginTexts(orgId: string | undefined): Promise<readonly string[]> {
    return this.logins.languagesOf(orgId ?? (await this.instances.get()).id);
  }
}
