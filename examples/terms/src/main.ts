import { runGatehouse } from 'gatehouse';
import terms from './terms.extension.js';

await runGatehouse({ extensions: [terms] });
