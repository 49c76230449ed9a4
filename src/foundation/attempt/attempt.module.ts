import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempt } from './attempt.entity.js';
import { AttemptService } from './attempt.service.js';

@Global()
@Module({ imports: [TypeOrmModule.forFeature([Attempt])], providers: [AttemptService], exports: [AttemptService] })
export class AttemptModule {}
