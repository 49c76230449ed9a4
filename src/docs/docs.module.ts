import { Module } from '@nestjs/common';
import { TokenModule } from '../token/token.module.js';
import { ApiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';

@Module({ imports: [TokenModule], controllers: [DocsController], providers: [ApiDocument], exports: [ApiDocument] })
export class DocsModule {}
