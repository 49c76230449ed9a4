export * from '../../src/testing/stranger-provider.js';
