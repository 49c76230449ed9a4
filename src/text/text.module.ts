import { Module } from '@nestjs/common';
import { InstanceModule } from '../instance/instance.module.js';
import { TextService } from './text.service.js';

@Module({ imports: [InstanceModule], providers: [TextService], exports: [TextService] })
export class TextModule {}
