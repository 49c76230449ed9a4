// The least that Nest on Express can do: one route, one fixed JSON answer, nothing before or behind it.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

class BareController {
  fixed() {
    return { fixed: 'answer' };
  }
}
// What `@Controller()` and `@Get('fixed')` do, in plain JavaScript.
Get('fixed')(BareController.prototype, 'fixed', Object.getOwnPropertyDescriptor(BareController.prototype, 'fixed'));
Controller()(BareController);

class BareModule {}
Module({ controllers: [BareController] })(BareModule);

const app = await NestFactory.create(BareModule, { logger: ['error'] });
app.enableShutdownHooks();
await app.listen(Number(process.argv[2]), '127.0.0.1');
process.stdout.write('Ready\n');
