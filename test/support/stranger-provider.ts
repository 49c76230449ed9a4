export * from '../../src/extension/testing/stranger-provider.js';
