import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { KeyService } from './key.service.js';
import { SigningKey } from './signing-key.entity.js';

@Module({
  imports: [InstanceModule, TypeOrmModule.forFeature([SigningKey])],
  providers: [KeyService],
  exports: [KeyService],
})
export class KeyModule {}
