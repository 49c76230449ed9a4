import { runGatehouse } from 'gatehouse';
import hr from './hr.extension.js';

await runGatehouse({ extensions: [hr] });
