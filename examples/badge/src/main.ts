import { runGatehouse } from 'gatehouse';
import badge from './badge.extension.js';

await runGatehouse({ extensions: [badge] });
