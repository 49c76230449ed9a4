import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Instance } from './instance.entity.js';
import { InstanceService } from './instance.service.js';

@Module({ imports: [TypeOrmModule.forFeature([Instance])], providers: [InstanceService], exports: [InstanceService] })
export class InstanceModule {}
