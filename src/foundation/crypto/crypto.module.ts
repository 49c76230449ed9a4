import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretsConfig } from '../config/config.js';
import { HashBudget } from './hash-budget.js';
import { HashMeter } from './hash-meter.js';
import { HashParameters } from './hash-parameters.js';
import { HashSpeed } from './hash-speed.entity.js';
import { KeyPairs } from './key-pairs.js';
import { type KeyStretch, MasterKeys, stretchKey } from './master-key.js';
import { loadMasterKey } from './master-key-file.js';
import { OwnPasswordForms } from './own-password-forms.js';
import { PasswordHash } from './password-hash.js';
import { SecretCheck } from './secret-check.js';
import { TokenSeal } from './token-seal.js';
import { Vault } from './vault.js';

/** What keys and hashes cost. */
export interface CryptoCosts {
  readonly keyPairs?: KeyPairs;
  readonly hashParameters?: HashParameters;
  readonly hashMeter?: HashMeter;
  readonly stretch?: KeyStretch;
}

@Module({})
export class CryptoModule {
  static of({ keyPairs, hashParameters, hashMeter, stretch = stretchKey }: CryptoCosts = {}): DynamicModule {
    return {
      module: CryptoModule,
      global: true,
      imports: [TypeOrmModule.forFeature([HashSpeed])],
      providers: [
        HashBudget,
        OwnPasswordForms,
        PasswordHash,
        SecretCheck,
        { provide: KeyPairs, useValue: keyPairs ?? new KeyPairs() },
        { provide: HashParameters, useValue: hashParameters ?? new HashParameters() },
        { provide: HashMeter, useValue: hashMeter ?? new HashMeter() },
        {
          provide: MasterKeys,
          inject: [SecretsConfig],
          useFactory: async (config: SecretsConfig): Promise<MasterKeys> =>
            MasterKeys.from(
              config.masterKey ?? (await loadMasterKey(config.dataDir)),
              config.previousMasterKeys,
              stretch,
            ),
        },
        { provide: Vault, inject: [MasterKeys], useFactory: (keys: MasterKeys) => new Vault(keys) },
        { provide: TokenSeal, inject: [MasterKeys], useFactory: (keys: MasterKeys) => new TokenSeal(keys) },
      ],
      exports: [HashBudget, OwnPasswordForms, PasswordHash, SecretCheck, KeyPairs, MasterKeys, Vault, TokenSeal],
    };
  }
}
