import { Module } from '@nestjs/common';
import { TokenModule } from '../token/token.module.js';
import { DemoServer } from './demo.server.js';

@Module({ imports: [TokenModule], providers: [DemoServer], exports: [DemoServer] })
export class DemoModule {}
