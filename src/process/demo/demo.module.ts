import { Module } from '@nestjs/common';
import { TokenModule } from '../../token/token.module.js';
import { DemoServer } from './demo.server.js';
import { EntranceController } from './entrance/entrance.controller.js';

@Module({ imports: [TokenModule], controllers: [EntranceController], providers: [DemoServer], exports: [DemoServer] })
export class DemoModule {}
