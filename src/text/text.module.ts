import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../org/instance/instance.module.js';
import { LoginTextService } from './login-text.service.js';
import { CustomLoginText, CustomMessageText } from './text.entity.js';
import { TextRepository } from './text.repository.js';
import { TextService } from './text.service.js';

@Module({
  imports: [InstanceModule, TypeOrmModule.forFeature([CustomMessageText, CustomLoginText])],
  providers: [TextRepository, TextService, LoginTextService],
  exports: [TextService, LoginTextService],
})
export class TextModule {}
