import type { GenerateKeyPairResult } from 'jose';

export declare function rsaKey(place: number): Promise<GenerateKeyPairResult>;
