import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempt } from './attempt.entity.js';
import { AttemptService } from './attempt.service.js';

@Module({ imports: [TypeOrmModule.forFeature([Attempt])], providers: [AttemptService], exports: [AttemptService] })
export class AttemptModule {}
