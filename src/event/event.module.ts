import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Event } from './event.entity.js';
import { Journal } from './journal.js';

@Global()
@Module({ imports: [TypeOrmModule.forFeature([Event])], providers: [Journal], exports: [Journal] })
export class EventModule {}
