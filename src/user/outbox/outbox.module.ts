import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Outbox } from './outbox.js';
import { OutboxMail } from './outbox-mail.entity.js';
import { OutboxQueue } from './outbox-queue.js';
import { OutboxRegister } from './outbox-register.js';

const services = [Outbox, OutboxQueue, OutboxRegister];

/** FOUNDATION: mails caused by a transaction, until they are sent. The cause need not know who sends them. */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([OutboxMail])], providers: services, exports: services })
export class OutboxModule {}
