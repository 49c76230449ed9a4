import { Global, Module } from '@nestjs/common';
import { PageRenderer } from './page-renderer.js';

@Global()
@Module({ providers: [PageRenderer], exports: [PageRenderer] })
export class PageModule {}
