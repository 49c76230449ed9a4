import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Event } from './event.entity.js';
import { EventReader } from './event-reader.js';
import { Journal } from './journal.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Event])],
  providers: [EventReader, Journal],
  exports: [EventReader, Journal],
})
export class EventModule {}
