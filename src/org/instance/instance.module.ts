import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventListeners } from './event-listeners.js';
import { Instance } from './instance.entity.js';
import { InstanceService } from './instance.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Instance])],
  providers: [EventListeners, InstanceService],
  exports: [EventListeners, InstanceService],
})
export class InstanceModule {}
