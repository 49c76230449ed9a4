import { Controller, Get, Put } from '@nestjs/common';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { onlyOwn } from '../../../text/login-text.js';
import { LoginTextService } from '../../../text/login-text.service.js';
import type { CustomLoginTexts } from '../../../text/text.entity.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Message } from '../../kit/wire/message.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  GetHostedLoginTranslationRequestV2,
  GetHostedLoginTranslationResponseV2,
  SetHostedLoginTranslationRequestV2,
  SetHostedLoginTranslationResponseV2,
} from './hosted-login.dto.js';
import { etagOf, toSentTexts } from './hosted-login.mapping.js';

/** The texts of the login pages of this service. */
@Tagged('Settings v2')
@Controller('v2/settings/hosted_login_translation')
@InService('settings')
export class HostedLoginV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly texts: LoginTextService,
    private readonly instances: InstanceService,
  ) {}

  @Get()
  @Requires('policy.read', { named: true })
  @Operation({
    id: 'GetHostedLoginTranslationV2',
    sameAs: ['GetCustomLoginTexts', 'GetDefaultLoginTexts', 'GetCustomLoginTextsOfOrg'],
    summary: 'Get the texts of the login pages',
    description: 'Those of the pages of this service, under its names.',
    request: GetHostedLoginTranslationRequestV2,
    example: { organizationId: EXAMPLE.org, locale: 'en' },
    returns: GetHostedLoginTranslationResponseV2,
    refuses: [orgNotFound()],
  })
  async get(
    @Asking() caller: Caller,
    @Message() request: GetHostedLoginTranslationRequestV2,
  ): Promise<GetHostedLoginTranslationResponseV2> {
    const translations = await this.find(caller, request);
    return { etag: etagOf(translations), translations };
  }

  @Put()
  @Requires('policy.write', { named: true })
  @Operation({
    id: 'SetHostedLoginTranslationV2',
    sameAs: ['SetCustomLoginText', 'SetCustomLoginTextOfOrg'],
    summary: 'Set the texts of the login pages',
    description: 'For an organization, or for the instance, which needs the permission iam.policy.write.',
    request: SetHostedLoginTranslationRequestV2,
    exampleWith: { instance: undefined },
    returns: SetHostedLoginTranslationResponseV2,
    refuses: [orgNotFound()],
  })
  async set(
    @Asking() caller: Caller,
    @Message() { instance, organizationId, locale, translations }: SetHostedLoginTranslationRequestV2,
  ): Promise<SetHostedLoginTranslationResponseV2> {
    const ownerId =
      organizationId === undefined
        ? await this.writtenInstance(caller, instance)
        : (await this.reach.org(caller, 'policy.write', organizationId)).orgId;
    if (!translations) throw invalidFields([{ field: 'translations', description: 'is required' }]);
    const sent = toSentTexts(translations);
    await this.texts.set(ownerId, locale, sent, caller.userId);
    return { etag: etagOf(onlyOwn(sent)) };
  }

  /** The built-in texts, and those of the instance, are known to whoever may read those of an organization. */
  private async find(
    caller: Caller,
    { system, instance, organizationId, locale, ignoreInheritance }: GetHostedLoginTranslationRequestV2,
  ): Promise<CustomLoginTexts> {
    if (organizationId !== undefined) {
      const { orgId } = await this.reach.org(caller, 'policy.read', organizationId);
      return ignoreInheritance ? this.ownOf(orgId, locale) : this.texts.resolve(orgId, locale);
    }
    if (instance === true) {
      const { id } = await this.instances.get();
      return ignoreInheritance ? this.ownOf(id, locale) : (await this.texts.findInherited(locale)).texts;
    }
    if (system === true) return (await this.texts.findDefault(locale)).texts;
    throw levelMissing();
  }

  private async ownOf(ownerId: string, locale: string): Promise<CustomLoginTexts> {
    const { texts, isDefault } = await this.texts.findCustom(ownerId, locale);
    return isDefault ? {} : onlyOwn(texts);
  }

  private async writtenInstance(caller: Caller, isNamed: boolean | undefined): Promise<string> {
    if (isNamed !== true) throw levelMissing();
    this.reach.instance(caller, 'iam.policy.write');
    return (await this.instances.get()).id;
  }
}

function levelMissing(): Error {
  return invalidFields([{ field: 'organizationId', description: 'must be sent, or a level in its place' }]);
}
