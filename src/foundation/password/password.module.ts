import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HashBudget } from './hash-budget.js';
import { HashMeter } from './hash-meter.js';
import { HashParameters } from './hash-parameters.js';
import { HashSpeed } from './hash-speed.entity.js';
import { PasswordHash } from './password-hash.js';
import { SecretCheck } from './secret-check.js';

/** The cost of hashes of passwords. */
export interface HashCosts {
  readonly hashParameters?: HashParameters;
  readonly hashMeter?: HashMeter;
}

@Module({})
export class PasswordModule {
  static of({ hashParameters, hashMeter }: HashCosts = {}): DynamicModule {
    return {
      module: PasswordModule,
      global: true,
      imports: [TypeOrmModule.forFeature([HashSpeed])],
      providers: [
        HashBudget,
        PasswordHash,
        SecretCheck,
        { provide: HashParameters, useValue: hashParameters ?? new HashParameters() },
        { provide: HashMeter, useValue: hashMeter ?? new HashMeter() },
      ],
      exports: [HashBudget, PasswordHash, SecretCheck],
    };
  }
}
