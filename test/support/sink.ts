export * from '../../src/extension/testing/sink.js';
