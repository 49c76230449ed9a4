import { Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IssuerConfig } from '../../config/config.js';
import { readVersion } from '../../config/version.js';
import { InstanceService } from '../../instance/instance.service.js';
import type { Actor } from '../../permission/actor.js';
import { checkSupportedLanguage, supportedLanguages } from '../../text/supported-language.js';
import { Asking } from '../guard/asking.js';
import { AUTHENTICATED } from '../guard/demand.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse, toDetails } from '../wire/details.dto.js';
import { Message } from '../wire/message.js';
import {
  GetDefaultLanguageResponse,
  GetIamResponse,
  GetMyInstanceResponse,
  LanguagesResponse,
  SetDefaultLanguageRequest,
} from './instance.dto.js';

const VERSION = readVersion();

@ApiTags('Instance' satisfies Tag)
@Controller()
export class InstanceController {
  constructor(
    private readonly instances: InstanceService,
    private readonly issuer: IssuerConfig,
  ) {}

  @Get('admin/v1/instances/me')
  @Requires('iam.read')
  @Operation({ id: 'GetMyInstance', summary: 'The instance that answers', returns: GetMyInstanceResponse })
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
  @Operation({ id: 'GetIAM', summary: 'The ids that every client of the API may need', returns: GetIamResponse })
  async getIds(): Promise<GetIamResponse> {
    const { defaultOrgId, systemProjectId } = await this.instances.get();
    return { globalOrgId: defaultOrgId, iamProjectId: systemProjectId, defaultOrgId };
  }

  @Get('admin/v1/languages')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetSupportedLanguages',
    summary: 'The languages that there are texts in',
    returns: LanguagesResponse,
  })
  getLanguages(): LanguagesResponse {
    return { languages: supportedLanguages };
  }

  @Get('admin/v1/languages/allowed')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetAllowedLanguages',
    summary: 'The languages that may be used here',
    description: 'All that are supported.',
    returns: LanguagesResponse,
  })
  getAllowedLanguages(): LanguagesResponse {
    return { languages: supportedLanguages };
  }

  @Get('management/v1/languages')
  @Requires(AUTHENTICATED)
  @Operation({ id: 'ListLanguages', summary: 'The languages that an organization may use', returns: LanguagesResponse })
  listLanguages(): LanguagesResponse {
    return { languages: supportedLanguages };
  }

  @Get('admin/v1/languages/default')
  @Requires('iam.read')
  @Operation({
    id: 'GetDefaultLanguage',
    summary: 'The language of those who ask for none',
    returns: GetDefaultLanguageResponse,
  })
  async getDefaultLanguage(): Promise<GetDefaultLanguageResponse> {
    return { language: (await this.instances.get()).defaultLanguage };
  }

  @Put('admin/v1/languages/default/:language')
  @Requires('iam.write')
  @Operation({
    id: 'SetDefaultLanguage',
    summary: 'Changes the language of those who ask for none',
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
