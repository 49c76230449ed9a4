import { Module } from '@nestjs/common';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { TokenModule } from '../../token/token.module.js';
import { DemoServer } from './demo.server.js';
import { EntranceController } from './entrance/entrance.controller.js';

@Module({
  imports: [InstanceModule, PolicyModule, TokenModule],
  controllers: [EntranceController],
  providers: [DemoServer],
  exports: [DemoServer],
})
export class DemoModule {}
