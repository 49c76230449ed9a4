import { Controller, Get, Put } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { readVersion } from '../../foundation/config/version.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { checkSupportedLanguage, supportedLanguages } from '../../text/supported-language.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  GetDefaultLanguageResponse,
  GetIamResponse,
  GetMyInstanceResponse,
  LanguagesResponse,
  SetDefaultLanguageRequest,
} from './instance.dto.js';

const VERSION = readVersion();

@Tagged('Instance')
@Controller()
export class InstanceController {
  constructor(
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
  ) {}

  @Get('admin/v1/instances/me')
  @Requires('iam.read')
  @Operation({ id: 'GetMyInstance', summary: 'Get the instance', returns: GetMyInstanceResponse })
  async get(): Promise<GetMyInstanceResponse> {
    const instance = await this.instances.get();
    const details = toDetails(instance, instance.id);
    const domain = { details, domain: new URL(this.issuer.publicUrl).hostname, primary: true, generated: false };
    return {
      instance: {
        id: instance.id,
        details,
        state: 'running',
        name: instance.name,
        version: VERSION,
        domains: [domain],
      },
    };
  }

  @Get('management/v1/iam')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetIAM',
    summary: 'Get the IDs of the default organization and the project of this service',
    returns: GetIamResponse,
  })
  async getIds(): Promise<GetIamResponse> {
    const { defaultOrgId, systemProjectId } = await this.instances.get();
    return { globalOrgId: defaultOrgId, iamProjectId: systemProjectId, defaultOrgId };
  }

  @Get('admin/v1/languages')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetSupportedLanguages',
    summary: 'List the supported languages',
    returns: LanguagesResponse,
  })
  getLanguages(): LanguagesResponse {
    return { languages: supportedLanguages };
  }

  @Get('admin/v1/languages/allowed')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetAllowedLanguages',
    summary: 'List the allowed languages',
    description: 'All supported languages.',
    returns: LanguagesResponse,
  })
  getAllowedLanguages(): LanguagesResponse {
    return { languages: supportedLanguages };
  }

  @Get('management/v1/languages')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListLanguages',
    summary: 'List the languages available to an organization',
    returns: LanguagesResponse,
  })
  listLanguages(): LanguagesResponse {
    return { languages: supportedLanguages };
  }

  @Get('admin/v1/languages/default')
  @Requires('iam.read')
  @Operation({
    id: 'GetDefaultLanguage',
    summary: 'Get the default language',
    returns: GetDefaultLanguageResponse,
  })
  async getDefaultLanguage(): Promise<GetDefaultLanguageResponse> {
    return { language: (await this.instances.get()).defaultLanguage };
  }

  @Put('admin/v1/languages/default/:language')
  @Requires('iam.write')
  @Operation({
    id: 'SetDefaultLanguage',
    summary: 'Set the default language',
    request: SetDefaultLanguageRequest,
    returns: DetailsResponse,
  })
  async setDefaultLanguage(
    @Asking() actor: Actor,
    @Message() { language }: SetDefaultLanguageRequest,
  ): Promise<DetailsResponse> {
    checkSupportedLanguage(language);
    const instance = await this.instances.setDefaultLanguage(language, actor.userId);
    return { details: toDetails(instance, instance.id) };
  }
}
