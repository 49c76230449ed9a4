import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { ExtAssets } from './ext-assets.js';
import { ExtLooks } from './ext-looks.js';
import { PageRenderer } from './page-renderer.js';
import { PageDefaults, PageSettings } from './page-settings.js';

@Global()
@Module({})
export class PageModule {
  /** `defaults`: which provider of `module` knows them. */
  static of(module: Type, defaults: Type<PageDefaults>): DynamicModule {
    return {
      module: PageModule,
      imports: [module],
      providers: [ExtAssets, ExtLooks, PageRenderer, PageSettings, { provide: PageDefaults, useExisting: defaults }],
      exports: [ExtAssets, PageRenderer, PageSettings],
    };
  }
}
