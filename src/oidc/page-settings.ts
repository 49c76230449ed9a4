import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InstanceService } from '../instance/instance.service.js';
import type { LoginLanguage } from '../page/catalogue/catalogue.js';
import { languageFor } from '../page/catalogue/language-choice.js';

const WITHOUT_DATABASE = { defaultLanguage: 'en', name: 'Gatehouse' };

/** Language and brand of the pages that this edge shows by itself. */
@Injectable()
export class PageSettings {
  constructor(private readonly instances: InstanceService) {}

  async forRequest(request: Request, uiLocales: readonly string[] = []): Promise<{ language: LoginLanguage; brand: string }> {
    const instance = await this.instances.get().catch(() => WITHOUT_DATABASE); // an error page must not fail itself
    const acceptLanguage = request.headers['accept-language'];
    return { language: languageFor({ uiLocales, acceptLanguage, fallback: instance.defaultLanguage }), brand: instance.name };
  }
}
