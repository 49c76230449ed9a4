export * from '../../src/extension/testing/call-receiver.js';
